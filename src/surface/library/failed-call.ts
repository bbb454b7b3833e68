import { OrielError } from '../../kernel/errors.ts';
import type { Failed } from '../../model/outcome.ts';

/**
 * What a method throws when its call failed: the {@link OrielError} of the outcome, with the
 * outcome itself, whose effect tells what had happened to the page by then.
 */
export class FailedCall extends OrielError {
  readonly outcome: Failed;

  constructor(outcome: Failed) {
    const { code, message, hint, details, pageText } = outcome.error;
    super(code, message, { hint, details, pageText });
    this.outcome = outcome;
  }
}
