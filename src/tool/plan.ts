import type { Config } from '../config/schema.ts';
import { OrielError, toOrielError } from '../kernel/errors.ts';
import { EFFECTS, type ToolEffect } from '../model/policy.ts';
import { actualEffect, type AnyTool, type PlannedCall } from './declaration.ts';
import { parseInput } from './input.ts';
import { limitOf } from './limits.ts';
import type { ToolSet } from './tool-set.ts';

/** Most calls inside one call, those of calls inside them included (C-095). */
export const MAX_STEPS = 100;
/** How many levels of calls may stand inside the calls of a call (C-096). */
export const MAX_DEPTH = 5;

/** A call with all the calls that it will make, read and judged before anything is touched. */
export interface Plan {
  readonly tool: AnyTool;
  readonly input: Record<string, unknown>;
  /** The strongest of its own and its steps' effects. */
  readonly effect: ToolEffect;
  /** Milliseconds; 0 means none. */
  readonly limitMs: number;
  readonly steps: readonly Plan[];
}

/** @throws `bad_input`, `not_found`, naming the step. */
export function planCall(
  tools: ToolSet,
  config: Config,
  call: PlannedCall,
  budget = { steps: MAX_STEPS },
  depth = 0,
): Plan {
  const tool = tools.get(call.tool);
  const input = parseInput(tool, call.input);
  const calls = tool.steps?.(input) ?? [];
  if (tool.steps && depth > MAX_DEPTH) {
    throw new OrielError('bad_input', `${tool.name} is nested more than ${MAX_DEPTH} deep.`, {
      hint: 'Write the steps one after the other.',
    });
  }
  budget.steps -= calls.length;
  if (budget.steps < 0) {
    throw new OrielError('bad_input', `${tool.name} takes at most ${MAX_STEPS} steps in all.`, {
      hint: 'Make several calls of it.',
    });
  }
  const steps = calls.map((step, index) => {
    try {
      const plan = planCall(tools, config, step, budget, depth + 1);
      if (plan.tool.scope !== 'page') throw notOfPages(plan.tool);
      return plan;
    } catch (thrown) {
      throw inStep(index + 1, toOrielError(thrown));
    }
  });
  const effects = steps.map((step) => step.effect);
  return {
    tool,
    input,
    effect: actualEffect(tool, input, effects),
    limitMs: limitFor(tool, input, config, steps),
    steps,
  };
}

/** The calls that do something themselves, in order. */
export function leavesOf(plan: Plan): Plan[] {
  return plan.tool.steps ? plan.steps.flatMap(leavesOf) : [plan];
}

export function strongestOf(effects: readonly ToolEffect[]): ToolEffect {
  return EFFECTS.findLast((effect) => effects.includes(effect)) ?? 'read';
}

/** What makes calls has the time that they have together, unless its caller says otherwise. */
function limitFor(
  tool: AnyTool,
  input: Record<string, unknown>,
  config: Config,
  steps: readonly Plan[],
): number {
  const ownMs = limitOf(tool, input, config);
  if (!tool.steps || input['timeoutMs'] !== undefined) return ownMs;
  if (steps.some((step) => step.limitMs === 0)) return 0;
  return steps.reduce((sum, step) => sum + step.limitMs, ownMs);
}

function notOfPages(tool: AnyTool): OrielError {
  return new OrielError('bad_input', `${tool.name} does not work on one page.`, {
    hint: 'Call it by itself.',
  });
}

/** `Step 3: …`; inside of steps `Step 3.1: …`. */
function inStep(number: number, error: OrielError): OrielError {
  const inner = /^Step (?=\d)/.exec(error.message);
  const rest = inner ? `.${error.message.slice(inner[0].length)}` : `: ${error.message}`;
  return new OrielError(error.code, `Step ${number}${rest}`, {
    hint: error.hint,
    details: { ...error.details, step: number },
    cause: error,
  });
}
