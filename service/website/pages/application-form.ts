// Parses and validates the form of an application, new or edited.
import { descriptionProblem, nameProblem } from '../../accounts/account-rules.ts';
import type { ApplicationText } from '../../accounts/application-store.ts';
import { redirectLimit, redirectProblem } from '../../accounts/redirect-rules.ts';
import type { Form } from '../../oauth/form-body.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';

/** Throws the FormError of the first violated rule. */
export function readApplicationText(form: Form): ApplicationText {
  const name = form.get('name')?.trim() ?? '';
  const description = form.get('description')?.trim() ?? '';
  if (name === '' && description === '') throw new FormError('app_name_and_description_missing', missing);
  if (name === '') throw new FormError('app_name_missing', { name: missing.name });
  if (description === '') throw new FormError('app_description_missing', { description: missing.description });
  const redirectUris = readLines(form.get('redirect_uris') ?? '');
  refuseProblems('data_problem', {
    name: nameProblem(name),
    description: descriptionProblem(description),
    redirect_uris: redirectsProblem(redirectUris),
  });
  return { name, description, redirectUris, requiresPkce: form.get('require_pkce') === 'yes' };
}

const missing = {
  name: 'Enter a name for the application.',
  description: 'Describe the application in one sentence.',
};

function readLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

function redirectsProblem(uris: readonly string[]): string | undefined {
  if (uris.length > redirectLimit) return `Enter at most ${redirectLimit} redirect URLs, one per line.`;
  for (const [index, uri] of uris.entries()) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) return `Line ${index + 1}: ${problem}`;
  }
  return undefined;
}
