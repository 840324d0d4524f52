// The rows of a response's outline: which lines show, what a folded one says, and which have a deviation.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { cutText } from '@rainbell/shared';
import { type JsonOutline, lineOfMember } from '../../../viewers/json-outline.ts';

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

/** Each deviation at the line of its field, or of the point if the field is missing. */
export function deviationsOf(
  outline: JsonOutline,
  points: ReadonlyMap<number, ForecastPoint>,
): ReadonlyMap<number, readonly Deviation[]> {
  const found = new Map<number, Deviation[]>();
  for (const [pointLine, { problems }] of points) {
    for (const problem of problems) {
      const line = lineOfMember(outline, pointLine, problem.field.split('.').filter(Boolean));
      found.set(line, [...(found.get(line) ?? []), problem]);
    }
  }
  return found;
}

export type Deviation = ForecastPoint['problems'][number];
