// Text as rows for the viewers. The browser lays out each row as a whole, so a long line continues in the next row.
import { budget } from './budget.ts';

/** `same`: a line of a text, or of both sides of a comparison; `gone` and `new`: of one side only; `folded`: how many are left out. */
export type RowKind = 'same' | 'gone' | 'new' | 'folded';
export type Line = { kind: RowKind; text: string };
/** `isContinued`: the next piece of a long line. */
export type Row = Line & { isContinued: boolean };

export type Rows = {
  rows: readonly Row[];
  characters: number;
  /** Whether more follows than the budget held. */
  isCut: boolean;
};

export type RowBudget = { rows: number; characters: number };

/** `portions`: how often "Show more" was pressed, and one. */
export function rowBudget(portions: number): RowBudget {
  return { rows: budget.portionRows * portions, characters: budget.portionCharacters * portions };
}

/** Takes lines until the budget is spent. */
export function layRows(lines: Iterable<Line>, limit: RowBudget): Rows {
  const rows: Row[] = [];
  let characters = 0;
  for (const { kind, text } of lines) {
    let isContinued = false;
    for (const piece of piecesOf(text)) {
      if (rows.length >= limit.rows || characters >= limit.characters) return { rows, characters, isCut: true };
      rows.push({ kind, text: piece, isContinued });
      characters += piece.length;
      isContinued = true;
    }
  }
  return { rows, characters, isCut: false };
}

function* piecesOf(text: string): Generator<string> {
  let from = 0;
  do {
    const end = from + budget.rowCharacters;
    // Two halves of one character stay together.
    const isSplit = /[\uDC00-\uDFFF]/.test(text.charAt(end));
    const next = isSplit ? end - 1 : end;
    yield text.slice(from, next);
    from = next;
  } while (from < text.length);
}

/** A text as received, line by line; CR LF and LF end a line. Costs as much as the budget, however long the text is. */
export function textRows(text: string, limit: RowBudget): Rows {
  return layRows(linesOf(text), limit);
}

function* linesOf(text: string): Generator<Line> {
  let at = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', at)) {
    const end = feed > at && text[feed - 1] === '\r' ? feed - 1 : feed;
    yield { kind: 'same', text: text.slice(at, end) };
    at = feed + 1;
  }
  yield { kind: 'same', text: text.slice(at) };
}
