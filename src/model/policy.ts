import { z } from 'zod';

/** What a call may change, weakest first. Admission and MCP annotations go by it. */
export const EFFECTS = ['read', 'act', 'script', 'disk', 'config'] as const;
export type ToolEffect = (typeof EFFECTS)[number];

/** All given parts must match; a rule without any matches every call. */
export const policyRuleSchema = z.strictObject({
  tools: z.array(z.string()).min(1).optional().describe('Names of tools.'),
  effects: z.array(z.enum(EFFECTS)).min(1).optional().describe('Effects.'),
  origins: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Origins of the page or address, such as https://example.com, or *.example.com.'),
  decision: z.enum(['allow', 'deny', 'ask']).describe('What then happens.'),
});
export type PolicyRule = z.output<typeof policyRuleSchema>;
