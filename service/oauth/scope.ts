// Scopes (docs/interface.md §5.5): a space-separated list; the only value is `post_metag`.
import { knownScopes } from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';

/** Parses a scope into unique values in the order of the vocabulary. Throws `invalid_scope` for unknown values. */
export function readScope(text: string): readonly string[] {
  const words = text.split(' ').filter((word) => word !== '');
  if (!words.every((word) => (knownScopes as readonly string[]).includes(word))) {
    throw new ServiceError('invalid_scope', `The only valid scope is ${knownScopes.join(' ')}.`);
  }
  return knownScopes.filter((word) => words.includes(word));
}

export function storedScope(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

/** Throws `invalid_scope` if `asked` exceeds the grant (docs/interface.md §4.2: a refresh only restricts). */
export function narrowScope(asked: string, granted: readonly string[]): readonly string[] {
  const words = readScope(asked);
  if (!words.every((word) => granted.includes(word))) {
    throw new ServiceError(
      'invalid_scope',
      'A refresh can only reduce the granted scope; request more on the sign-in page.',
    );
  }
  return words;
}
