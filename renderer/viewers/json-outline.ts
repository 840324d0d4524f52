// The lines of a JSON text with what folds and what each line is: the place of a value as a JSONPath (RFC 9535, normalized where
// names allow the short form); lines-of-path.ts leads back.
import { type JsonLines, jsonLinesOf } from './json-lines.ts';
import { JsonTokens } from './json-tokens.ts';
import { cutText } from '@rainbell/shared';

export type JsonOutline = {
  readonly lines: JsonLines;
  readonly count: number;
  /** For a line that opens a branch, the line that closes it; otherwise −1. */
  readonly foldEnd: Int32Array;
  /** The line that opens the branch around; −1 for the first one. */
  readonly parent: Int32Array;
  /** The place in a list, or −1 in an object. */
  readonly ordinal: Int32Array;
};

/** Undefined if the text is not JSON, or has too many lines or levels. */
export function jsonOutlineOf(text: string): JsonOutline | undefined {
  const lines = jsonLinesOf(text);
  if (!lines) return undefined;
  const count = lines.starts.length;
  const foldEnd = new Int32Array(count).fill(-1);
  const parent = new Int32Array(count).fill(-1);
  const ordinal = new Int32Array(count).fill(-1);
  const open: { line: number; isList: boolean; next: number }[] = [];
  for (let line = 0; line < count; line += 1) {
    const first = text.charAt(lines.starts[line] ?? 0);
    const last = text.charAt((lines.ends[line] ?? 1) - 1);
    if (first === '}' || first === ']') {
      const closed = open.pop();
      if (closed) foldEnd[closed.line] = line;
      parent[line] = open.at(-1)?.line ?? -1;
      continue;
    }
    const around = open.at(-1);
    parent[line] = around?.line ?? -1;
    if (around?.isList) {
      ordinal[line] = around.next;
      around.next += 1;
    }
    if (last === '{' || last === '[') open.push({ line, isList: last === '[', next: 0 });
  }
  return { lines, count, foldEnd, parent, ordinal };
}

/** The name of the member on a line, decoded; undefined in a list. */
export function memberName({ lines }: JsonOutline, line: number): string | undefined {
  const tokens = new JsonTokens(lines.source.slice(lines.starts[line], lines.ends[line]));
  if (tokens.next() !== 'string') return undefined;
  const { start, end, text } = tokens;
  return tokens.next() === ':' ? (JSON.parse(text.slice(start, end)) as string) : undefined;
}

type Segment = string | number;

/** The names and places that lead from the whole text to the value on a line. */
export function segmentsOf(outline: JsonOutline, line: number): readonly Segment[] {
  const segments: Segment[] = [];
  for (let at = line; at >= 0; at = outline.parent[at] ?? -1) {
    const place = outline.ordinal[at] ?? -1;
    const segment = place >= 0 ? place : memberName(outline, at);
    if (segment !== undefined) segments.unshift(segment);
  }
  return segments;
}

const shortName = /^[A-Za-z_]\w*$/;

/** `$.objects[9].weather`, or `$['odd name']`. */
export function jsonPathOf(outline: JsonOutline, line: number): string {
  const steps = segmentsOf(outline, line).map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`;
    return shortName.test(segment) ? `.${segment}` : `['${normalizedName(segment)}']`;
  });
  return `$${steps.join('')}`;
}

/** A name as it is between the quotes of a normalized path: https://www.rfc-editor.org/rfc/rfc9535#name-normalized-paths */
export function normalizedName(name: string): string {
  return JSON.stringify(name)
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (escaped, sign: string) => (sign === '"' ? sign : escaped))
    .replaceAll("'", "\\'");
}

export function lineAtOffset({ lines: { starts }, count }: JsonOutline, offset: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line of the value that `names` lead to from the branch on `line`; the line itself as far as they lead nowhere. */
export function lineOfMember(outline: JsonOutline, line: number, names: readonly string[]): number {
  let at = line;
  for (const name of names) {
    const end = outline.foldEnd[at] ?? -1;
    let child = at + 1;
    while (child < end && !(outline.parent[child] === at && memberName(outline, child) === name)) child += 1;
    if (child >= end) return at;
    at = child;
  }
  return at;
}

export const maxMatches = 1000;

/** The first thousand lines with a text, in any case. */
export function findLines({ lines: { source, starts, ends }, count }: JsonOutline, search: string): readonly number[] {
  const wanted = search.toLowerCase();
  const found: number[] = [];
  for (let line = 0; line < count && found.length < maxMatches; line += 1) {
    const first = source.charAt(starts[line] ?? 0);
    if (first === '}' || first === ']') continue;
    if (source.slice(starts[line], ends[line]).toLowerCase().includes(wanted)) found.push(line);
  }
  return found;
}

export type Row = { line: number; isFolded: boolean };

export function visibleRows({ count, foldEnd }: JsonOutline, isOpen: (line: number) => boolean): readonly Row[] {
  const rows: Row[] = [];
  for (let line = 0; line < count; line += 1) {
    const end = foldEnd[line] ?? -1;
    const isFolded = end >= 0 && !isOpen(line);
    rows.push({ line, isFolded });
    if (isFolded) line = end;
  }
  return rows;
}

/** The row of the branch to which an arrow key leads from that of another one; −1 if there is none. */
export function branchByKey({ foldEnd, parent }: JsonOutline, rows: readonly Row[], at: number, key: string): number {
  const isBranch = ({ line }: Row) => (foldEnd[line] ?? -1) >= 0;
  if (key === 'ArrowUp') return rows.findLastIndex((row, place) => place < at && isBranch(row));
  if (key === 'ArrowLeft') return rows.findIndex(({ line }) => line === parent[rows[at]?.line ?? 0]);
  return rows.findIndex((row, place) => place > at && isBranch(row));
}

export function ancestorsOf({ parent }: JsonOutline, line: number): readonly number[] {
  const lines: number[] = [];
  for (let at = parent[line] ?? -1; at >= 0; at = parent[at] ?? -1) lines.push(at);
  return lines;
}

const summaryCharacters = 28;

/** The beginning of a folded branch in one line. */
export function branchSummary({ lines, foldEnd }: JsonOutline, line: number): string {
  const from = (lines.ends[line] ?? 1) - 1;
  const to = lines.ends[foldEnd[line] ?? line] ?? from;
  const text = lines.source
    .slice(from, Math.min(to, from + 4 * summaryCharacters))
    .replaceAll(/\s+/g, ' ')
    .replace(/,$/, '');
  const cut = cutText(text, summaryCharacters);
  return cut.length < text.length ? `${cut}…` : cut;
}
