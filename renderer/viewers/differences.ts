// What differs between two callbacks, or a callback and what was sent of it, line by line: request, headers in their order, and
// the body (JSON laid out the same way, so that white space does not count). The work is bounded: if too much differs for the
// shortest list of edits, blocks between lines that both sides have once are compared, and at worst replaced as a whole.
import { diffArrays } from 'diff';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { budget } from './budget.ts';
import { bytesOf, hexLines, textOf } from './body-text.ts';
import { layOutJson } from './json-layout.ts';
import { isJson } from './json-tokens.ts';
import { RowBuilder, type RowBudget, type Rows, rowText } from './rows.ts';

export type DifferenceLine = { kind: 'same' | 'gone' | 'new'; text: string };

/** Without a status if the responses are not to be compared. */
export type Compared = Pick<Callback, 'method' | 'target' | 'headers' | 'bodyBase64'> & { answeredStatus?: number };

export type Differences = {
  lines: DifferenceLine[];
  /** Whether blocks were compared as a whole, so that lines may be listed as changed although both sides have them. */
  isCoarse: boolean;
  /** Whether the bodies' bytes differ although no line does: white space between JSON tokens. */
  isOnlyWhiteSpace: boolean;
};

export function differencesOf(older: Compared, newer: Compared): Differences {
  const bodies = bodyLines(older.bodyBase64, newer.bodyBase64);
  const { lines, isCoarse } = compareLines(
    [...headLines(older), ...bodies.older],
    [...headLines(newer), ...bodies.newer],
  );
  const isOnlyWhiteSpace = older.bodyBase64 !== newer.bodyBase64 && lines.every(({ kind }) => kind === 'same');
  return { lines, isCoarse, isOnlyWhiteSpace };
}

function headLines({ method, target, headers, answeredStatus }: Compared): string[] {
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(answeredStatus === undefined ? [] : [`answered ${answeredStatus}`]),
    '',
  ];
}

/** Both bodies in the same form. JSON that would be folded is compared as received, because a difference may be inside. */
function bodyLines(olderBase64: string, newerBase64: string): { older: string[]; newer: string[] } {
  const [olderBytes, newerBytes] = [bytesOf(olderBase64), bytesOf(newerBase64)];
  const [older, newer] = [textOf(olderBytes), textOf(newerBytes)];
  const laidOut = { older: jsonLines(older), newer: jsonLines(newer) };
  const areFolded = laidOut.older === 'folded' || laidOut.newer === 'folded';
  const linesOf = (text: string | undefined, lines: string[] | 'folded' | undefined, bytes: Uint8Array) => {
    if (text === undefined) return hexLines(bytes);
    return areFolded || lines === undefined || lines === 'folded' ? text.split('\n') : lines;
  };
  return { older: linesOf(older, laidOut.older, olderBytes), newer: linesOf(newer, laidOut.newer, newerBytes) };
}

function jsonLines(text: string | undefined): string[] | 'folded' | undefined {
  if (text === undefined || !isJson(text)) return undefined;
  const { rows, foldedLevels } = layOutJson(text, { rows: Infinity, characters: Infinity });
  if (foldedLevels > 0) return 'folded';
  const lines: string[] = [];
  rows.kinds.forEach((kind, row) => {
    if (kind === 0) lines.push(rowText(rows, row));
    else lines.push(`${lines.pop() ?? ''}${rowText(rows, row)}`);
  });
  return lines;
}

/** Two lists of lines as one, without a limit on their length. */
export function compareLines(
  older: readonly string[],
  newer: readonly string[],
): { lines: DifferenceLine[]; isCoarse: boolean } {
  // Numbers for lines: comparing two of them does not depend on how long they are.
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const numbered = (lines: readonly string[]) =>
    lines.map((line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, texts.length);
      return texts.push(line) - 1;
    });
  const [before, after] = [numbered(older), numbered(newer)];
  const exact = edits(before, after, budget.edits);
  const found = exact ?? editsByBlocks(before, after);
  return {
    lines: found.changes.map(({ kind, line }) => ({ kind, text: texts[line] ?? '' })),
    isCoarse: found.isCoarse,
  };
}

type Change = { kind: DifferenceLine['kind']; line: number };
type Edits = { changes: Change[]; isCoarse: boolean };

/** The shortest list of edits (Myers); undefined if it is longer than `most`. */
function edits(before: readonly number[], after: readonly number[], most: number): Edits | undefined {
  const found = diffArrays([...before], [...after], { maxEditLength: most });
  if (!found) return undefined;
  const changes = found.flatMap(({ value, added, removed }) =>
    value.map((line): Change => ({ kind: added ? 'new' : removed ? 'gone' : 'same', line })),
  );
  return { changes, isCoarse: false };
}

/** The blocks between lines that each side has exactly once and in the same order (patience diff), each compared separately. */
function editsByBlocks(before: readonly number[], after: readonly number[]): Edits {
  const changes: Change[] = [];
  let isCoarse = false;
  let [from, to] = [0, 0];
  for (const [beforeAt, afterAt] of [...commonOrder(before, after), [before.length, after.length] as const]) {
    if (from < beforeAt || to < afterAt) {
      const block = editsOfBlock(before.slice(from, beforeAt), after.slice(to, afterAt));
      for (const change of block.changes) changes.push(change);
      isCoarse ||= block.isCoarse;
    }
    const line = before[beforeAt];
    if (line !== undefined) changes.push({ kind: 'same', line });
    [from, to] = [beforeAt + 1, afterAt + 1];
  }
  return { changes, isCoarse };
}

function editsOfBlock(gone: readonly number[], fresh: readonly number[]): Edits {
  const isReplaced = gone.length === 0 || fresh.length === 0 || (gone.length === 1 && fresh.length === 1);
  const found = isReplaced && gone[0] !== fresh[0] ? undefined : edits(gone, fresh, budget.blockEdits);
  if (found) return found;
  const changes = [
    ...gone.map((line): Change => ({ kind: 'gone', line })),
    ...fresh.map((line): Change => ({ kind: 'new', line })),
  ];
  return { changes, isCoarse: !isReplaced };
}

/** Places of lines that both sides have once: the longest run of them that ascends on both sides. */
function commonOrder(before: readonly number[], after: readonly number[]): (readonly [number, number])[] {
  const afterPlaces = uniquePlaces(after);
  const beforePlaces = uniquePlaces(before);
  const pairs: (readonly [number, number])[] = [];
  before.forEach((line, place) => {
    const other = afterPlaces[line] ?? -1;
    if (beforePlaces[line] === place && other >= 0) pairs.push([place, other]);
  });
  // Pairs ascend on the first side; `ends[n]` is the pair with the smallest second place that ends a run of n + 1.
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, place], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const order: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) order.push(pair);
  }
  return order.toReversed();
}

/** Returns the index of each line that occurs exactly once, by its number; -1 for others. */
function uniquePlaces(lines: readonly number[]): Int32Array {
  const places = new Int32Array(1 + lines.reduce((most, line) => Math.max(most, line), 0)).fill(-1);
  const isSeen = new Uint8Array(places.length);
  lines.forEach((line, place) => {
    places[line] = isSeen[line] === 1 ? -1 : place;
    isSeen[line] = 1;
  });
  return places;
}

/** The lines as rows; with `folds`, each run of unchanged lines becomes one row. */
export function differenceRows(lines: readonly DifferenceLine[], folds: boolean, limit: RowBudget): Rows {
  const builder = new RowBuilder(limit);
  const shown = folds ? linesNearChanges(lines) : undefined;
  let isFirst = true;
  const begin = (kind: 'line' | 'gone' | 'new' | 'folded') => {
    if (isFirst) builder.setKind(kind);
    else builder.endLine(kind);
    isFirst = false;
  };
  let folded = 0;
  const endFold = () => {
    if (folded === 0) return;
    begin('folded');
    builder.add(folded === 1 ? '1 unchanged line' : `${folded.toLocaleString('en')} unchanged lines`, 'note');
    folded = 0;
  };
  for (const [index, { kind, text }] of lines.entries()) {
    if (builder.isFull) break;
    if (shown && shown[index] === 0) folded += 1;
    else {
      endFold();
      begin(kind === 'same' ? 'line' : kind);
      builder.add(text);
    }
  }
  endFold();
  return builder.finish();
}

/** 1 for changed lines, those around them, and short runs between them. */
function linesNearChanges(lines: readonly DifferenceLine[]): Uint8Array {
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
