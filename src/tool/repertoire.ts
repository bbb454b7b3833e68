import { z } from 'zod';
import type { Outcome, CallRequest } from '../model/outcome.ts';
import type { ToolEffect } from '../model/policy.ts';
import type { CallOptions } from './call.ts';

/** A tool as a client is told of it. */
export interface Listing {
  readonly name: string;
  /** What a model reads. */
  readonly description: string;
  /** The strongest effect that a call can have. */
  readonly effect: ToolEffect;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Hints for a client, as MCP has them. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** What else the system that it belongs to says of it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The tools that a client is shown, and how they are called: our own, or a dialect's. */
export interface Repertoire {
  /** What a model is told once. */
  readonly instructions: string;
  readonly listings: readonly Listing[];
  /** Runs one call to its end. Never throws. */
  call(request: CallRequest, options?: CallOptions): Promise<Outcome>;
}

/** A schema as it is declared, with defaults, bounds and descriptions. */
export function wholeSchema(input: z.ZodObject): Record<string, unknown> {
  const {
    $schema: _,
    additionalProperties: __,
    ...schema
  } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
