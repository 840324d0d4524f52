// The language of receiver rules: conditions, as in the callback search, and placeholders of responses. Without zod, so that the
// screens can validate input, and the receiver's thread loads less.
import { parseCallbackQuery } from './callback-query.ts';

/** Beyond this many held requests, rules that hold respond 503 at once. */
export const maxHeld = 20;

/** Fields that a rule cannot match: they are unknown until the response is sent. */
const unknownBefore: ReadonlySet<string> = new Set(['status', 'outcome', 'verdict', 'is', 'time', 'sender']);

/** Why a condition cannot be used in a rule, as a sentence; undefined if it can. */
export function conditionProblem(condition: string): string | undefined {
  const { terms, problems } = parseCallbackQuery(condition);
  const [problem] = problems;
  if (problem) return `“${problem.term}”: ${problem.message}`;
  const isUnknown = terms.some(
    (term) =>
      unknownBefore.has(term.condition.kind) || (term.condition.kind === 'field' && term.condition.field === 'note'),
  );
  return isUnknown ? 'Use text, method:, path:, monitor:, from:, body:, header:, json:, or size:.' : undefined;
}

/** `{{quote …}}` inserts the value as a JSON string. */
export const placeholderForm = /\{\{\s*(quote\s+)?([^{}\s]{1,200})\s*\}\}/g;

const placeholderNames: ReadonlySet<string> = new Set(['method', 'target', 'path', 'body', 'monitor', 'time']);
const maxPlaceholders = 100;

/** Why a text with placeholders cannot be filled in, as a sentence; undefined if it can. */
export function placeholderProblem(text: string): string | undefined {
  const found = [...text.matchAll(placeholderForm)];
  if (found.length > maxPlaceholders) return `At most ${maxPlaceholders} placeholders.`;
  const unknown = found.find(([, , name = '']) => !placeholderNames.has(name) && !/^(query|header|json)\../.test(name));
  return unknown
    ? `${unknown[0]} is unknown. Use method, target, path, body, monitor, time, query.NAME, header.NAME, or json.PATH.`
    : undefined;
}
