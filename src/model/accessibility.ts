import { z } from 'zod';

/** Impacts of axe-core, gravest first. */
export const IMPACTS = ['critical', 'serious', 'moderate', 'minor'] as const;

export const offenderSchema = z.strictObject({
  selector: z.string().describe('Selector that names it, within its frame.'),
  frame: z.string().optional().describe('Address of the frame it is in, if not the main one.'),
  ref: z.string().optional().describe('Its ref, to act on it.'),
  html: z.string().describe('Its start tag, shortened.'),
  why: z.string().describe('What is wrong with it.'),
});

export const violationSchema = z.strictObject({
  rule: z.string().describe('Rule of axe-core.'),
  impact: z.enum(IMPACTS),
  help: z.string().describe('What the rule asks for.'),
  helpUrl: z.string(),
  count: z.int().describe('How many elements offend.'),
  elements: z.array(offenderSchema).describe('Some of them.'),
});
export type Violation = z.output<typeof violationSchema>;

export const accessibilityFactsSchema = z.strictObject({
  violations: z.array(violationSchema).describe('Gravest first.'),
  passes: z.int().describe('Rules that hold.'),
  incomplete: z.int().describe('Rules that a person must judge.'),
  frames: z.int().describe('Frames that were examined.'),
  engine: z.string().describe('Name and version of what judged.'),
});
export type AccessibilityFacts = z.output<typeof accessibilityFactsSchema>;
