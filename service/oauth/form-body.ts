// Parses the token endpoint's form (docs/interface.md §4.2, RFC 6749 §3.2): empty parameters count as omitted, repeated ones are
// rejected, unknown ones are ignored.
import { ServiceError } from '../errors/service-error.ts';

export type Form = ReadonlyMap<string, string>;

/** Throws `invalid_request` for a repeated parameter, which could mean two things. */
export function readForm(text: string): Form {
  const form = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name))
      throw new ServiceError('invalid_request', 'A parameter appears more than once; send each once.');
    seen.add(name);
    // PostgreSQL cannot store it in a text, and no one types it.
    if (value.includes('\0')) throw new ServiceError('invalid_request', 'A parameter contains a NUL character.');
    if (value !== '') form.set(name, value);
  }
  return form;
}

export function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) {
    throw new ServiceError('invalid_request', `The ${name} parameter is missing; send it in the form body.`);
  }
  return value;
}
