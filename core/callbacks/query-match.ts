// Whether a callback fits a query (contract/app-rpc/callback-query.ts). Pure; what costs something (decoding and parsing a body, the
// judgement) is done once per callback and only where a term asks for it.
import { type CallbackQuery, matchesPattern, type QueryCondition, type QueryMark } from '@rainbell/contract/app-rpc';
import { once, pick } from '@rainbell/shared';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { fitsRequest, readForms, textOfBody, type RequestSubject } from '../receiver/rules/request-match.ts';
import type { ValidationResult } from './callback-validator.ts';

type Subject = RequestSubject & { row: StoredCallback; validation: () => ValidationResult };

/** Longer decoded bodies are searched as received, so that a small body cannot hold up a search. */
const maxDecodedBytes = 4 * 1024 * 1024;

/** `onDecoded` gets the bytes that decoding the body made, or could have made. */
export function fitsQuery(
  query: CallbackQuery,
  row: StoredCallback,
  validate: (row: StoredCallback) => ValidationResult,
  onDecoded: (bytes: number) => void = () => {},
): boolean {
  const subject: Subject = {
    ...pick(row, 'method', 'target', 'remoteAddress', 'headers', 'monitorId', 'note', 'sizeBytes'),
    ...readForms(() => textOfBody(row, maxDecodedBytes, onDecoded)),
    row,
    validation: once(() => validate(row)),
  };
  return query.alternatives.some((terms) => terms.every(({ isNot, condition }) => fits(condition, subject) !== isNot));
}

function fits(condition: QueryCondition, subject: Subject): boolean {
  const { row } = subject;
  switch (condition.kind) {
    case 'status':
      return row.answeredStatus >= condition.from && row.answeredStatus <= condition.to;
    case 'time':
      return row.receivedAt >= condition.from && row.receivedAt < condition.before;
    case 'outcome':
      return row.outcome.kind === condition.outcome;
    case 'verdict':
      return condition.names.includes(subject.validation().verdictName);
    case 'sender':
      return matchesPattern(condition.text, senderName(subject.validation().sender));
    case 'is':
      return isMarked(condition.mark, subject);
    case 'text':
    case 'field':
    case 'header':
    case 'json':
    case 'size':
      return fitsRequest(condition, subject);
  }
}

function senderName(name: string | undefined): string {
  return (name ?? 'none').toLowerCase().replaceAll(/[ .]+/g, '-');
}

function isMarked(mark: QueryMark, { row, validation }: Subject): boolean {
  if (mark === 'imported') return row.isImported;
  if (mark === 'feed') return row.isByFeed;
  if (mark === 'noted') return row.note !== '';
  if (mark === 'cut') return row.truncated;
  if (mark === 'refused') return row.refusal !== null;
  const { verdict, kind } = validation();
  return mark === verdict || mark === kind;
}
