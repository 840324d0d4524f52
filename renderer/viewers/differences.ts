// What differs between two callbacks, line by line: request, headers in their order, and the body (JSON laid out the same way, so that
// white space does not count). The work is bounded: if too much differs for the shortest list of edits, what lies between the common
// ends is shown as replaced.
import { headerText, plural } from '@rainbell/shared';
import { diffArrays } from 'diff';
import type { Callback } from '@rainbell/contract/app-rpc';
import { budget } from './budget.ts';
import { bytesOf, hexLines, textOf } from './body-text.ts';
import { jsonLinesOf, jsonLineText } from './json-lines.ts';
import type { Line, RowKind } from './rows.ts';

export type Compared = Pick<Callback, 'method' | 'target' | 'headers' | 'bodyBase64' | 'answeredStatus'>;

export type Comparison = {
  /** The lines of both sides in one list. */
  lines: readonly Line[];
  /** Whether too much differs to compare, so that lines may be listed as changed although both sides have them. */
  isCoarse: boolean;
};

export type Differences = Comparison & {
  differing: number;
  /** Whether the bodies' bytes differ although no line does: white space between JSON tokens. */
  isOnlyWhiteSpace: boolean;
};

export function differencesOf(older: Compared, newer: Compared): Differences {
  const heads = compareTexts(headLines(older), headLines(newer));
  const bodies = compareTexts(bodyLines(older.bodyBase64), bodyLines(newer.bodyBase64));
  const lines = [...heads.lines, ...bodies.lines];
  const differing = lines.filter(({ kind }) => kind !== 'same').length;
  return {
    lines,
    differing,
    isCoarse: heads.isCoarse || bodies.isCoarse,
    isOnlyWhiteSpace: older.bodyBase64 !== newer.bodyBase64 && differing === 0,
  };
}

function headLines({ method, target, headers, answeredStatus }: Compared): string[] {
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${headerText(value)}`),
    `Response: HTTP ${answeredStatus}`,
    '',
  ];
}

function bodyLines(base64: string): string[] {
  const bytes = bytesOf(base64);
  const text = textOf(bytes);
  if (text === undefined) return hexLines(bytes);
  const json = jsonLinesOf(text);
  return json ? json.starts.map((_, line) => jsonLineText(json, line)) : text.split('\n');
}

/** Two lists of lines as one, without a limit on their length. */
export function compareTexts(older: readonly string[], newer: readonly string[]): Comparison {
  let start = 0;
  while (start < older.length && older[start] === newer[start]) start += 1;
  let tail = 0;
  const most = Math.min(older.length, newer.length) - start;
  while (tail < most && older[older.length - 1 - tail] === newer[newer.length - 1 - tail]) tail += 1;
  const [gone, added] = [older.slice(start, older.length - tail), newer.slice(start, newer.length - tail)];
  const middle = shortestEdits(gone, added);
  return {
    lines: [
      ...linesAs('same', older.slice(0, start)),
      ...(middle ?? [...linesAs('gone', gone), ...linesAs('new', added)]),
      ...linesAs('same', older.slice(older.length - tail)),
    ],
    isCoarse: middle === undefined && gone.length > 0 && added.length > 0,
  };
}

/** The shortest list of edits (Myers), unless it is too long. Lines are numbered, so that comparing two does not depend on their length. */
function shortestEdits(older: readonly string[], newer: readonly string[]): readonly Line[] | undefined {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  const found = diffArrays(older.map(numberOf), newer.map(numberOf), { maxEditLength: budget.edits });
  let [place, newPlace] = [0, 0];
  return found?.flatMap(({ value: { length }, added, removed }) => {
    const texts = added ? newer.slice(newPlace, newPlace + length) : older.slice(place, place + length);
    if (!added) place += length;
    if (!removed) newPlace += length;
    return linesAs(added ? 'new' : removed ? 'gone' : 'same', texts);
  });
}

function linesAs(kind: RowKind, texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ kind, text }));
}

/** The lines as a long comparison shows them: one line for each run of unchanged ones that is not near a change. */
export function* foldLines(lines: readonly Line[]): Generator<Line> {
  const near = linesNearChanges(lines);
  let folded = 0;
  for (const [index, line] of lines.entries()) {
    folded = near[index] === 0 ? folded + 1 : 0;
    if (folded === 0) yield line;
    else if (near[index + 1] !== 0)
      yield { kind: 'folded', text: plural(folded, ['# unchanged line', '# unchanged lines']) };
  }
}

/** 1 for changed lines, those around them, and short runs between them. */
function linesNearChanges(lines: readonly Line[]): Uint8Array {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - budget.contextLines), index + budget.contextLines + 1);
  });
  let hidden = 0;
  near.forEach((isNear, index) => {
    if (isNear === 1 && hidden < budget.fewestFolded) near.fill(1, index - hidden, index);
    hidden = isNear === 1 ? 0 : hidden + 1;
  });
  return near;
}
