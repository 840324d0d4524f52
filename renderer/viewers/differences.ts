// What differs between two callbacks, or a callback and what was sent of it, line by line: request, headers in their order, and
// the body (JSON laid out the same way, so that white space does not count). The work is bounded: if too much differs for the
// shortest list of edits, what lies between the common ends is shown as replaced.
import { headerText, plural } from '@rainbell/shared';
import { diffArrays } from 'diff';
import type { Callback } from '@rainbell/contract/app-rpc';
import { budget } from './budget.ts';
import { bytesOf, hexLines, textOf } from './body-text.ts';
import { type JsonLines, jsonLineKey, jsonLinesOf, jsonLineText } from './json-lines.ts';
import { NumberList } from './number-list.ts';
import { RowBuilder, type RowBudget, type Rows } from './rows.ts';

/** Without a status if the responses are not to be compared. */
export type Compared = Pick<Callback, 'method' | 'target' | 'headers' | 'bodyBase64'> & { answeredStatus?: number };

/** What a line is, by number: `same` on both sides, or on one of them. */
export const differenceKinds = ['same', 'gone', 'new'] as const;
const [same, gone, fresh] = [0, 1, 2] as const;

/** The lines of both sides in one list. */
export type Comparison = {
  /** The place of each line's kind in `differenceKinds`. */
  kinds: Int32Array;
  textOf: (line: number) => string;
  /** Whether too much differs to compare, so that lines may be listed as changed although both sides have them. */
  isCoarse: boolean;
};

export type Differences = Comparison & {
  /** How many lines only one side has. */
  differing: number;
  /** Whether the bodies' bytes differ although no line does: white space between JSON tokens. */
  isOnlyWhiteSpace: boolean;
};

export function differencesOf(older: Compared, newer: Compared): Differences {
  const heads = compareTexts(headLines(older), headLines(newer));
  const bodies = compareBodies(older.bodyBase64, newer.bodyBase64);
  const headLength = heads.kinds.length;
  const kinds = new Int32Array(headLength + bodies.kinds.length);
  kinds.set(heads.kinds);
  kinds.set(bodies.kinds, headLength);
  const differing = kinds.reduce((sum, kind) => sum + (kind === same ? 0 : 1), 0);
  return {
    kinds,
    differing,
    textOf: (line) => (line < headLength ? heads.textOf(line) : bodies.textOf(line - headLength)),
    isCoarse: heads.isCoarse || bodies.isCoarse,
    isOnlyWhiteSpace: older.bodyBase64 !== newer.bodyBase64 && differing === 0,
  };
}

function headLines({ method, target, headers, answeredStatus }: Compared): string[] {
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${headerText(value)}`),
    ...(answeredStatus === undefined ? [] : [`Response: HTTP ${answeredStatus}`]),
    '',
  ];
}

/** Both bodies in the same form. JSON that would be folded is compared as received, because a difference may be inside. */
function compareBodies(olderBase64: string, newerBase64: string): Comparison {
  const [olderBytes, newerBytes] = [bytesOf(olderBase64), bytesOf(newerBase64)];
  const [older, newer] = [textOf(olderBytes), textOf(newerBytes)];
  const olderJson = older === undefined ? undefined : jsonLinesOf(older);
  const newerJson = newer === undefined ? undefined : jsonLinesOf(newer);
  const areFolded = olderJson?.isFolded === true || newerJson?.isFolded === true;
  if (olderJson && newerJson && !areFolded) return compareJson(olderJson, newerJson);
  const linesOf = (text: string | undefined, json: JsonLines | undefined, bytes: Uint8Array) => {
    if (text === undefined) return hexLines(bytes);
    return json && !areFolded ? Array.from(json.starts, (_, line) => jsonLineText(json, line)) : text.split('\n');
  };
  return compareTexts(linesOf(older, olderJson, olderBytes), linesOf(newer, newerJson, newerBytes));
}

/** Two lists of lines as one, without a limit on their length. */
export function compareTexts(older: readonly string[], newer: readonly string[]): Comparison {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => numberOf(numbers, line, numbers.size));
  return compareNumbers(numbered(older), numbered(newer), {
    distinct: () => numbers.size,
    textOf: (place, isNew) => (isNew ? newer : older)[place] ?? '',
  });
}

function compareJson(older: JsonLines, newer: JsonLines): Comparison {
  // The same tokens with another indentation are another line.
  const byIndent: Map<string, number>[] = [];
  let count = 0;
  const numbered = (lines: JsonLines) =>
    lines.indents.map((indent, line) => {
      const numbers = (byIndent[indent] ??= new Map());
      const number = numberOf(numbers, jsonLineKey(lines, line), count);
      if (number === count) count += 1;
      return number;
    });
  return compareNumbers(numbered(older), numbered(newer), {
    distinct: () => count,
    textOf: (place, isNew) => jsonLineText(isNew ? newer : older, place),
  });
}

function numberOf(numbers: Map<string, number>, line: string, next: number): number {
  const known = numbers.get(line);
  if (known !== undefined) return known;
  numbers.set(line, next);
  return next;
}

/** Lines by number: comparing two of them does not depend on how long they are. */
type NumberedLines = Int32Array;

/** Collects the lines of both sides in order: what each is, and its place on its side (on the older one if both have it). */
class Changes {
  readonly kinds = new NumberList();
  readonly places = new NumberList();
  isCoarse = false;

  add(kind: 0 | 1 | 2, from: number, to: number): void {
    for (let place = from; place < to; place += 1) {
      this.kinds.push(kind);
      this.places.push(place);
    }
  }
}

/** A block of lines on each side. */
type Block = {
  before: NumberedLines;
  from: number;
  to: number;
  after: NumberedLines;
  afterFrom: number;
  afterTo: number;
};

function compareNumbers(
  before: NumberedLines,
  after: NumberedLines,
  lines: { distinct: () => number; textOf: (place: number, isNew: boolean) => string },
): Comparison {
  const changes = new Changes();
  const distinct = lines.distinct();
  const whole = { before, from: 0, to: before.length, after, afterFrom: 0, afterTo: after.length };
  addBetweenCommonEnds(changes, whole, (block) => {
    const isClose = leastEdits(block, distinct) <= budget.edits;
    if (isClose && addShortest(changes, block, budget.edits)) return;
    changes.add(gone, block.from, block.to);
    changes.add(fresh, block.afterFrom, block.afterTo);
    changes.isCoarse = block.from < block.to && block.afterFrom < block.afterTo;
  });
  const [kinds, places] = [changes.kinds.values(), changes.places.values()];
  const textOf = (line: number) => lines.textOf(places[line] ?? 0, kinds[line] === fresh);
  return { kinds, textOf, isCoarse: changes.isCoarse };
}

/** Adds what both sides have at the beginning and at the end, and between them what `add` finds. */
function addBetweenCommonEnds(changes: Changes, block: Block, add: (middle: Block) => void): void {
  const { before, after } = block;
  let { from, to, afterFrom, afterTo } = block;
  while (from < to && afterFrom < afterTo && before[from] === after[afterFrom]) {
    from += 1;
    afterFrom += 1;
  }
  while (from < to && afterFrom < afterTo && before[to - 1] === after[afterTo - 1]) {
    to -= 1;
    afterTo -= 1;
  }
  changes.add(same, block.from, from);
  if (from < to || afterFrom < afterTo) add({ before, from, to, after, afterFrom, afterTo });
  changes.add(same, to, block.to);
}

/** How many lines one side has more often than the other: no list of edits is shorter, and this one costs little. */
function leastEdits({ before, from, to, after, afterFrom, afterTo }: Block, distinct: number): number {
  const excess = new Int32Array(distinct);
  for (let place = from; place < to; place += 1) excess[before[place] ?? 0]! += 1;
  for (let place = afterFrom; place < afterTo; place += 1) excess[after[place] ?? 0]! -= 1;
  return excess.reduce((sum, count) => sum + Math.abs(count), 0);
}

/** Adds the shortest list of edits (Myers) unless it is longer than `max`. */
function addShortest(changes: Changes, { before, from, to, after, afterFrom, afterTo }: Block, max: number): boolean {
  const found = diffArrays([...before.subarray(from, to)], [...after.subarray(afterFrom, afterTo)], {
    maxEditLength: max,
  });
  if (!found) return false;
  let [place, afterPlace] = [from, afterFrom];
  for (const { value, added, removed } of found) {
    const { length } = value;
    if (added) changes.add(fresh, afterPlace, afterPlace + length);
    else changes.add(removed ? gone : same, place, place + length);
    if (!added) place += length;
    if (!removed) afterPlace += length;
  }
  return true;
}

/** The lines as rows; with `folds`, each run of unchanged lines becomes one row. */
export function differenceRows({ kinds, textOf: lineText }: Comparison, folds: boolean, limit: RowBudget): Rows {
  const builder = new RowBuilder(limit);
  const shown = folds ? linesNearChanges(kinds) : undefined;
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
    builder.add(plural(folded, ['# unchanged line', '# unchanged lines']), 'note');
    folded = 0;
  };
  for (const [index, kind] of kinds.entries()) {
    if (builder.isFull) break;
    if (shown && shown[index] === 0) folded += 1;
    else {
      endFold();
      begin(kind === same ? 'line' : kind === gone ? 'gone' : 'new');
      builder.add(lineText(index));
    }
  }
  endFold();
  return builder.finish();
}

/** 1 for changed lines, those around them, and short runs between them. */
function linesNearChanges(kinds: Int32Array): Uint8Array {
  const near = new Uint8Array(kinds.length);
  kinds.forEach((kind, index) => {
    if (kind !== same) near.fill(1, Math.max(0, index - budget.contextLines), index + budget.contextLines + 1);
  });
  let hidden = 0;
  near.forEach((isNear, index) => {
    if (isNear === 1 && hidden < budget.fewestFolded) near.fill(1, index - hidden, index);
    hidden = isNear === 1 ? 0 : hidden + 1;
  });
  return near;
}
