// The terms of a search as the box shows them: finished ones are chips, and the last is being typed.
import { splitTerms } from '@rainbell/contract/app-rpc';

/** Removes the term at a place, and an `OR` that would then have no term next to it. */
export function withoutTerm(terms: readonly string[], place: number): string[] {
  const left = terms.filter((_, index) => index !== place);
  return left.filter(
    (term, index) => term !== 'OR' || (index > 0 && index < left.length - 1 && left[index - 1] !== 'OR'),
  );
}

/** Finished are the terms before a space that is not in quotes. */
export function finishedTerms(typed: string): { terms: string[]; rest: string } {
  const hasOpenQuote = (typed.match(/"/g)?.length ?? 0) % 2 === 1;
  if (hasOpenQuote || !/\s$/.test(typed)) return { terms: [], rest: typed };
  return { terms: splitTerms(typed), rest: '' };
}

export function queryOf(terms: readonly string[], typed: string): string {
  return [...terms, typed].join(' ').trim();
}
