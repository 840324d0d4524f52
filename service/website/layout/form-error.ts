// A form that is shown again with a warning: one of the catalog's messages and, if it helps, the error of each field. Thrown by the
// form's handler, shown above the form, which keeps all input except passwords.
import { ServiceError } from '../../errors/service-error.ts';
import type { WarningId } from './feedback.ts';
import type { Field } from './fields.ts';

export class FormError extends Error {
  override readonly name = 'FormError';
  readonly feedback: WarningId;
  readonly fields: Readonly<Record<string, string>>;

  constructor(feedback: WarningId, fields: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(feedback, options);
    this.feedback = feedback;
    this.fields = fields;
  }
}

export function refuseProblems(feedback: WarningId, problems: Readonly<Record<string, string | undefined>>): void {
  const fields = Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (fields.length > 0) throw new FormError(feedback, Object.fromEntries(fields));
}

/** Shows the API's refusal at the field that it is about, by its member there, otherwise at the first. */
export function atField(members: Readonly<Record<string, Pick<Field, 'name' | 'label'>>>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const { message } = error;
    const known = Object.entries(members);
    const [member = '', field] = known.find(([name]) => message.startsWith(`${name} `)) ?? known[0] ?? [];
    throw new FormError('data_problem', field && { [field.name]: message.replace(member, String(field.label)) });
  };
}

/** Thrown if a page needs an account and no one is signed in; redirects to the sign-in page and back. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
}
