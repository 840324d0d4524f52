// What differs between two callbacks, or a callback and what was sent of it, line by line: request, headers in their order, and
// the body (JSON laid out the same way, so that white space does not count).
import { diffLines } from 'diff';
import type { Callback } from '#contract/procedures/callbacks.ts';
import { isJson, layOutJson } from '#renderer/ui/json-text.ts';
import { bytesOf, hexDump, textOf } from './body-text.ts';

export type DifferenceLine = { kind: 'same' | 'gone' | 'new'; text: string };

/** Without a status where the answers are not to be compared. */
type Compared = Pick<Callback, 'method' | 'target' | 'headers' | 'bodyBase64'> & { answeredStatus?: number };

export function differencesOf(older: Compared, newer: Compared): DifferenceLine[] {
  return diffLines(linesOf(older), linesOf(newer)).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind: added ? 'new' : removed ? 'gone' : 'same', text }) as const),
  );
}

function linesOf({ method, target, headers, bodyBase64, answeredStatus }: Compared): string {
  const head = headers.map(([name, value]) => `${name}: ${value}`);
  const answer = answeredStatus === undefined ? [] : [`answered ${answeredStatus}`];
  return [`${method} ${target}`, ...head, ...answer, '', bodyText(bodyBase64), ''].join('\n');
}

function bodyText(bodyBase64: string): string {
  const bytes = bytesOf(bodyBase64);
  const text = textOf(bytes);
  if (text === undefined) return hexDump(bytes);
  if (!isJson(text)) return text;
  return layOutJson(text)
    .map((piece) => piece.text)
    .join('');
}
