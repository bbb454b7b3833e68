// Our own lint rules, each from a bug that a reader could have seen. Loaded by .oxlintrc.json.
import { noFixedSleep } from './no-fixed-sleep.mjs';
import { noWayPastTheGate } from './no-way-past-the-gate.mjs';
import { useDisposables } from './use-disposables.mjs';

export default {
  meta: { name: 'oriel' },
  rules: {
    'no-fixed-sleep': noFixedSleep,
    'no-way-past-the-gate': noWayPastTheGate,
    'use-disposables': useDisposables,
  },
};
