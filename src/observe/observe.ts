import type { ArtifactStore } from '../model/artifact.ts';
import { auditAccessibility } from './accessibility.ts';
import { checkConditions } from './conditions.ts';
import { Coverage } from './coverage.ts';
import { readPerformance } from './performance.ts';
import { describeRequest } from './request-detail.ts';
import { Traces } from './traces.ts';
import { Videos } from './videos.ts';

/** What can be found out of a page beyond seeing it, and what can be recorded of it. */
export function createObserve(artifacts: ArtifactStore) {
  return {
    auditAccessibility,
    checkConditions,
    describeRequest,
    readPerformance,
    coverage: new Coverage(),
    traces: new Traces(artifacts),
    videos: new Videos(artifacts),
  };
}
export type Observe = ReturnType<typeof createObserve>;
