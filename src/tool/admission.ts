import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/schema.ts';
import { OrielError } from '../kernel/errors.ts';
import type { CallAnswer, Caller } from '../model/outcome.ts';
import type { PolicyRule, ToolEffect } from '../model/policy.ts';
import type { AnyTool } from './declaration.ts';
import { maskSecrets } from './secret-input.ts';
import { nearest } from '../kernel/nearest.ts';
import type { ToolSet } from './tool-set.ts';

export interface AdmissionRequest {
  readonly tool: AnyTool;
  readonly effect: ToolEffect;
  readonly input: unknown;
  readonly caller: Caller;
  /** Origin of the page or address the call is about, or null. */
  readonly origin: string | null;
  readonly answer: CallAnswer | undefined;
  /** The calls that it will make itself: what is refused or asked for one is so for the whole. */
  readonly parts?: readonly Pick<AdmissionRequest, 'tool' | 'effect' | 'input' | 'origin'>[];
}

/** A question that a person must answer before the call may go on. */
export interface Question {
  readonly question: string;
  readonly state: string;
}

const ANSWER_WITHIN_MS = 600_000;

/**
 * Decides whether a call may go on, before anything is touched. Re-entrant: a call that needs a
 * person comes back with the answer and is judged again from the start.
 */
export class Admission {
  readonly #config: Config;
  readonly #secret = randomBytes(32);
  readonly #answered = new Map<string, number>();

  /** @throws `bad_input` for a rule that names a tool that does not exist. */
  constructor(config: Config, tools: ToolSet) {
    this.#config = config;
    for (const rule of config.policy.rules) checkRule(rule, tools);
  }

  /**
   * @returns Null when the call may go on, or the question to be answered first.
   * @throws `denied` with the setting that an operator would change.
   */
  admit(request: AdmissionRequest): Question | null {
    const judged = [...(request.parts ?? []), request].map((part) =>
      this.#judge({ ...request, ...part }),
    );
    return judged.includes('ask') ? this.#ask(request) : null;
  }

  /** @throws `denied` */
  #judge(request: AdmissionRequest): 'allow' | 'ask' {
    this.#admitMode(request);
    const rule = this.#config.policy.rules.find((candidate) => matches(candidate, request));
    if (rule?.decision !== 'deny') return rule?.decision ?? 'allow';
    throw new OrielError('denied', `A policy rule of this server refuses ${request.tool.name}.`, {
      hint: 'The operator can change policy.rules.',
      details: { effect: request.effect, origin: request.origin },
    });
  }

  #admitMode({ tool, effect }: AdmissionRequest): void {
    if (this.#config.mode === 'readonly' && effect !== 'read') {
      throw new OrielError(
        'denied',
        `${tool.name} would ${VERBS[effect]}, and this server only reads (mode readonly).`,
        { hint: 'The operator can start it with --mode full.' },
      );
    }
    if (!this.#config.script && effect === 'script') {
      throw new OrielError('denied', `${tool.name} would run script, which is switched off.`, {
        hint: 'The operator can start the server with --script true.',
      });
    }
  }

  #ask(request: AdmissionRequest): Question | null {
    if (request.answer) {
      this.#redeem(request, request.answer);
      return null;
    }
    if (!request.caller.canAsk) {
      throw new OrielError('denied', `${request.tool.name} needs a person to approve it.`, {
        hint: 'This client cannot ask one; the operator can allow it in policy.rules.',
      });
    }
    const where = request.origin ? ` on ${request.origin}` : '';
    const nonce = `${Date.now().toString(36)}.${randomBytes(9).toString('base64url')}`;
    return {
      question: `Allow ${request.tool.name} (${VERBS[request.effect]})${where}? ${preview(request)}`,
      state: `${nonce}.${this.#sign(nonce, request)}`,
    };
  }

  /** An approval counts once, for the very call it was asked for, within ten minutes. */
  #redeem(request: AdmissionRequest, answer: CallAnswer): void {
    const at = answer.state.lastIndexOf('.');
    const nonce = answer.state.slice(0, at);
    const given = Buffer.from(answer.state.slice(at + 1));
    const expected = Buffer.from(this.#sign(nonce, request));
    const askedAt = Number.parseInt(nonce.split('.')[0] ?? '', 36);
    const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isGenuine || this.#answered.has(nonce) || !(Date.now() - askedAt < ANSWER_WITHIN_MS)) {
      throw new OrielError('denied', 'The approval does not belong to this call, or is used up.', {
        hint: 'Make the call again without an answer, so that a person is asked anew.',
      });
    }
    this.#answered.set(nonce, askedAt);
    for (const [old, at] of this.#answered) {
      if (Date.now() - at > ANSWER_WITHIN_MS) this.#answered.delete(old);
    }
    if (!answer.approved) {
      throw new OrielError('denied', `A person declined ${request.tool.name}.`, {
        hint: 'Do not try it again; ask the person what to do instead.',
      });
    }
  }

  #sign(nonce: string, request: AdmissionRequest): string {
    const subject = JSON.stringify([
      nonce,
      request.tool.name,
      request.effect,
      request.input,
      request.origin,
      request.caller.principal,
    ]);
    return createHmac('sha256', this.#secret).update(subject).digest('base64url');
  }
}

const VERBS: Record<ToolEffect, string> = {
  read: 'read',
  act: 'act on the page',
  script: 'run script in the page',
  disk: 'write to disk',
  config: 'change settings',
};

function checkRule(rule: PolicyRule, tools: ToolSet): void {
  const names = tools.all.map((tool) => tool.name);
  for (const name of rule.tools ?? []) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw new OrielError(
      'bad_input',
      `policy.rules names the tool ${JSON.stringify(name)}, which does not exist.`,
      {
        hint: near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
      },
    );
  }
  for (const origin of rule.origins ?? []) {
    if (/^\*\.[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(origin)) continue;
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
    if (isOrigin && !origin.includes('*')) continue;
    throw new OrielError(
      'bad_input',
      `policy.rules names the origin ${JSON.stringify(origin)}, which is none.`,
      {
        hint: 'Give an origin such as https://example.com, or *.example.com.',
      },
    );
  }
}

function matches(rule: PolicyRule, request: AdmissionRequest): boolean {
  if (rule.tools && !rule.tools.includes(request.tool.name)) return false;
  if (rule.effects && !rule.effects.includes(request.effect)) return false;
  return !rule.origins || rule.origins.some((origin) => isOf(request.origin, origin));
}

function isOf(origin: string | null, pattern: string): boolean {
  if (origin === null || !pattern.startsWith('*.')) return origin === pattern;
  const host = new URL(origin).hostname;
  return host === pattern.slice(2) || host.endsWith(pattern.slice(1));
}

function preview({ tool, input }: AdmissionRequest): string {
  const text = JSON.stringify(maskSecrets(tool, (input ?? {}) as Record<string, unknown>));
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
