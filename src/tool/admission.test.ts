import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { isOrielError } from '../kernel/errors.ts';
import type { PolicyRule, ToolEffect } from '../model/policy.ts';
import { TOOLS } from '../tools/index.ts';
import { Admission, type AdmissionRequest, type Question } from './admission.ts';
import { defineTool } from './declaration.ts';
import { ToolSet } from './tool-set.ts';

const tools = new ToolSet(TOOLS);
const click = tools.get('browser_click');
const caller = {
  surface: 'library',
  principal: 'local',
  connection: 'c',
  canAsk: true,
} as const;

function admission(config: ConfigInput): Admission {
  return new Admission(loadConfig({ values: config }).config, tools);
}
const withRules = (...rules: PolicyRule[]) => admission({ policy: { rules } });

const request = (more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  tool: click,
  effect: 'act',
  input: { target: 'e1' },
  caller,
  origin: 'https://shop.test',
  answer: undefined,
  ...more,
});

function denial(admit: () => unknown): string {
  try {
    admit();
  } catch (error) {
    if (isOrielError(error, 'denied')) return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error('It was admitted');
}

afterEach(() => void vi.useRealTimers());

describe('rules', () => {
  it('admit everything when there are none', () => {
    expect(withRules().admit(request())).toBeNull();
  });

  it('go by the first that matches in tool, effect and origin', () => {
    const gate = withRules(
      { tools: ['browser_click'], origins: ['https://shop.test'], decision: 'allow' },
      { effects: ['act'], origins: ['*.test'], decision: 'deny' },
    );
    expect(gate.admit(request())).toBeNull();
    expect(denial(() => gate.admit(request({ origin: 'https://a.shop.test' })))).toContain('rule');
    expect(denial(() => gate.admit(request({ origin: 'https://test' })))).toContain('rule');
    expect(gate.admit(request({ origin: 'https://attest' }))).toBeNull();
    expect(gate.admit(request({ effect: 'read', origin: 'https://x.test' }))).toBeNull();
    expect(gate.admit(request({ origin: null }))).toBeNull();
  });

  it('without any part match every call', () => {
    expect(
      denial(() => withRules({ decision: 'deny' }).admit(request({ origin: null }))),
    ).toBeTruthy();
  });

  it.each<[string, PolicyRule | object]>([
    ['an unknown tool', { tools: ['browser_clik'], decision: 'deny' }],
    ['a peer name', { tools: ['browser_open'], decision: 'deny' }],
    ['an unknown effect', { effects: ['write'], decision: 'deny' }],
    ['an unknown decision', { decision: 'maybe' }],
    ['an unknown part', { tool: ['browser_click'], decision: 'deny' }],
    ['an origin with a path', { origins: ['https://a.test/x'], decision: 'deny' }],
    ['a bare host', { origins: ['a.test'], decision: 'deny' }],
    ['a pattern in the middle', { origins: ['https://*.a.test'], decision: 'deny' }],
    ['a pattern of nothing', { origins: ['*.'], decision: 'deny' }],
    ['no tool at all', { tools: [], decision: 'deny' }],
    ['no origin at all', { origins: [], decision: 'deny' }],
    ['no effect at all', { effects: [], decision: 'deny' }],
  ])('that name %s are refused at load', (_what, rule) => {
    expect(() => withRules(rule as PolicyRule)).toThrow(
      expect.objectContaining({ code: 'bad_input' }) as Error,
    );
  });

  it('that misspell a tool are told the nearest', () => {
    expect(() => withRules({ tools: ['browser_clik'], decision: 'deny' })).toThrow(
      expect.objectContaining({ hint: 'Did you mean browser_click?' }) as Error,
    );
  });
});

describe('modes', () => {
  it.each<[ToolEffect, boolean]>([
    ['read', true],
    ['act', false],
    ['script', false],
    ['disk', false],
    ['config', false],
  ])('readonly admits %s: %s', (effect, isAdmitted) => {
    const gate = admission({ mode: 'readonly' });
    if (isAdmitted) expect(gate.admit(request({ effect }))).toBeNull();
    else expect(denial(() => gate.admit(request({ effect })))).toContain('--mode full');
  });

  it('without script refuse script by every tool, and name the setting', () => {
    const gate = admission({ script: false });
    expect(denial(() => gate.admit(request({ effect: 'script' })))).toContain('--script');
    expect(gate.admit(request())).toBeNull();
  });

  it('are not opened by a rule', () => {
    const gate = admission({ mode: 'readonly', policy: { rules: [{ decision: 'allow' }] } });
    expect(denial(() => gate.admit(request()))).toContain('readonly');
  });
});

describe('approvals', () => {
  const gate = () => withRules({ effects: ['act'], decision: 'ask' });
  const ask = (at: Admission, more: Partial<AdmissionRequest> = {}): Question => {
    const question = at.admit(request(more));
    if (!question) throw new Error('It did not ask');
    return question;
  };

  it('are asked for with what would be done, and where', () => {
    const { question } = ask(gate());
    expect(question).toBe(
      'Allow browser_click (act on the page) on https://shop.test? {"target":"e1"}',
    );
  });

  it('are denied where nobody can be asked, saying what an operator can do', () => {
    const text = denial(() => gate().admit(request({ caller: { ...caller, canAsk: false } })));
    expect(text).toContain('policy.rules');
  });

  it('admit the very call they were given for, once', () => {
    const at = gate();
    const answer = { state: ask(at).state, approved: true };
    expect(at.admit(request({ answer }))).toBeNull();
    expect(denial(() => at.admit(request({ answer })))).toContain('used up');
  });

  it('that were declined stay declined', () => {
    const at = gate();
    const { state } = ask(at);
    expect(denial(() => at.admit(request({ answer: { state, approved: false } })))).toContain(
      'declined',
    );
    expect(denial(() => at.admit(request({ answer: { state, approved: true } })))).toContain(
      'used up',
    );
  });

  const sibling = defineTool({
    name: 'browser_sibling',
    summary: 'x',
    effect: 'act',
    scope: 'server',
    limit: 'action',
    input: z.strictObject({}),
    output: z.unknown(),
    examples: [],
    run: () => Promise.resolve(null),
    render: () => [],
  });

  it.each<[string, Partial<AdmissionRequest>]>([
    ['another input', { input: { target: 'e2' } }],
    ['another tool', { tool: sibling }],
    ['another page', { origin: 'https://bank.test' }],
    ['another person', { caller: { ...caller, principal: 'someone' } }],
  ])('do not serve %s', (_what, more) => {
    const at = gate();
    const answer = { state: ask(at).state, approved: true };
    expect(denial(() => at.admit(request({ ...more, answer })))).toContain('does not belong');
  });

  it('do not serve another server', () => {
    const answer = { state: ask(gate()).state, approved: true };
    expect(denial(() => gate().admit(request({ answer })))).toContain('does not belong');
  });

  it.each(['', '.', '..', 'x.y.z', 'lq.AAAA.', `zzzzzzzz.${'A'.repeat(12)}.${'A'.repeat(43)}`])(
    'cannot be made up: %j',
    (state) => {
      expect(denial(() => gate().admit(request({ answer: { state, approved: true } })))).toContain(
        'does not belong',
      );
    },
  );

  it('expire after ten minutes', () => {
    vi.useFakeTimers();
    const at = gate();
    const early = { state: ask(at).state, approved: true };
    const late = { state: ask(at).state, approved: true };
    vi.advanceTimersByTime(599_999);
    expect(at.admit(request({ answer: early }))).toBeNull();
    vi.advanceTimersByTime(1);
    expect(denial(() => at.admit(request({ answer: late })))).toContain('used up');
    // The memory of used approvals is swept; an old one stays useless.
    vi.advanceTimersByTime(1_200_000);
    expect(at.admit(request({ answer: { state: ask(at).state, approved: true } }))).toBeNull();
    expect(denial(() => at.admit(request({ answer: early })))).toContain('used up');
  });

  it('cannot be granted by any tool: an answer only comes beside the input', () => {
    const at = gate();
    const { state } = ask(at);
    for (const input of [{ target: 'e1', answer: { state, approved: true } }, { state }]) {
      expect(at.admit(request({ input }))).not.toBeNull();
    }
  });
});
