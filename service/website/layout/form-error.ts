// A form that came back with a warning: one of the catalogue's messages, and where it helps, what is wrong with which
// field. Thrown by the form's handler, shown above the form with everything but the passwords still typed in.
import type { WarningId } from './feedback.ts';

export class FormError extends Error {
  override readonly name = 'FormError';
  readonly feedback: WarningId;
  /** By field name: the rule that it breaks. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(feedback: WarningId, fields: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(feedback, options);
    this.feedback = feedback;
    this.fields = fields;
  }
}

/** Throws a FormError with those fields that have a problem. */
export function refuseProblems(feedback: WarningId, problems: Readonly<Record<string, string | undefined>>): void {
  const fields = Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (fields.length > 0) throw new FormError(feedback, Object.fromEntries(fields));
}

/** Thrown where a page needs an account and nobody is signed in; the browser is sent to the sign-in and back. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
}
