// What differs between two callbacks, or a callback and what was sent of it, line by line: request, headers in their order, and
// the body (JSON laid out the same way, so that white space does not count). The work is bounded: if too much differs for the
// shortest list of edits, blocks between lines that both sides have once are compared, and at worst replaced as a whole.
import { plural } from '#shared/text/plural.ts';
import { diffArrays } from 'diff';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
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
  /** Whether blocks were compared as a whole, so that lines may be listed as changed although both sides have them. */
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
    ...headers.map(([name, value]) => `${name}: ${value}`),
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
    if (!isClose || !addShortest(changes, block, budget.edits)) addByBlocks(changes, block, distinct);
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

/** Compares the blocks between lines that each side has exactly once and in the same order (patience diff), each separately. */
function addByBlocks(changes: Changes, whole: Block, distinct: number): void {
  let { from, afterFrom } = whole;
  const add = (to: number, afterTo: number) => {
    const block = { ...whole, from, to, afterFrom, afterTo };
    addBetweenCommonEnds(changes, block, (middle) => addBlock(changes, middle));
  };
  const common = commonOrder(whole, distinct);
  for (let index = 0; index < common.length; index += 2) {
    const [place = 0, afterPlace = 0] = [common[index], common[index + 1]];
    add(place, afterPlace);
    changes.add(same, place, place + 1);
    [from, afterFrom] = [place + 1, afterPlace + 1];
  }
  add(whole.to, whole.afterTo);
}

function addBlock(changes: Changes, block: Block): void {
  const { from, to, afterFrom, afterTo } = block;
  const [removed, added] = [to - from, afterTo - afterFrom];
  const isReplaced = removed === 0 || added === 0 || (removed === 1 && added === 1);
  if (!isReplaced && addShortest(changes, block, budget.blockEdits)) return;
  changes.add(gone, from, to);
  changes.add(fresh, afterFrom, afterTo);
  changes.isCoarse ||= !isReplaced;
}

/** Pairs of places of lines that both sides have once: the longest run of them that ascends on both sides. */
function commonOrder({ before, from, to, after, afterFrom, afterTo }: Block, distinct: number): Int32Array {
  const places = uniquePlaces(before, from, to, distinct);
  const afterPlaces = uniquePlaces(after, afterFrom, afterTo, distinct);
  // Pairs ascend on the first side; `ends[n]` is the pair with the smallest second place that ends a run of n + 1.
  const max = Math.min(to - from, afterTo - afterFrom);
  const [pairs, paired, previous] = [new Int32Array(max), new Int32Array(max), new Int32Array(max)];
  let count = 0;
  const ends: number[] = [];
  for (let place = from; place < to; place += 1) {
    const line = before[place] ?? 0;
    const other = afterPlaces[line] ?? -1;
    if (places[line] !== place || other < 0) continue;
    let low = ends.length;
    // Mostly it continues the longest run.
    if (low > 0 && (paired[ends[low - 1] ?? 0] ?? 0) >= other) {
      let high = low;
      low = 0;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((paired[ends[middle] ?? 0] ?? 0) < other) low = middle + 1;
        else high = middle;
      }
    }
    previous[count] = ends[low - 1] ?? -1;
    ends[low] = count;
    pairs[count] = place;
    paired[count] = other;
    count += 1;
  }
  const order = new Int32Array(2 * ends.length);
  let index = ends.at(-1) ?? -1;
  for (let at = order.length - 2; at >= 0; at -= 2) {
    order[at] = pairs[index] ?? 0;
    order[at + 1] = paired[index] ?? 0;
    index = previous[index] ?? -1;
  }
  return order;
}

/** Returns the place of each line that occurs exactly once, by its number; negative for others. */
function uniquePlaces(lines: NumberedLines, from: number, to: number, distinct: number): Int32Array {
  const [unseen, repeated] = [-1, -2];
  const places = new Int32Array(distinct).fill(unseen);
  for (let place = from; place < to; place += 1) {
    const line = lines[place] ?? 0;
    places[line] = places[line] === unseen ? place : repeated;
  }
  return places;
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
