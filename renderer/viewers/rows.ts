// Text as rows for the viewers: short rows in flat arrays, so that a worker hands over hundreds of thousands of characters without
// copying them one by one, and the page reads only the rows in view.
import { budget } from './budget.ts';

/** What a row is: a line, the next piece of a long line, or in a comparison a line of one side only, or folded lines. */
export const rowKinds = ['line', 'continued', 'gone', 'new', 'folded'] as const;
export type RowKind = (typeof rowKinds)[number];

export type Rows = {
  /** All rows, one after the other, without line breaks. */
  text: string;
  /** Where each row ends in `text`. */
  ends: Uint32Array<ArrayBuffer>;
  kinds: Uint8Array<ArrayBuffer>;
  /** Whether more follows than the budget held. */
  isCut: boolean;
  lines: number;
};

export type RowBudget = { rows: number; characters: number };

/** `portions`: how often "Show more" was pressed, and one. */
export function rowBudget(portions: number): RowBudget {
  return { rows: budget.portionRows * portions, characters: budget.portionCharacters * portions };
}

/** Collects rows until the budget is spent; from then on everything is ignored and `isFull` says so. */
export class RowBuilder {
  #text = '';
  #length = 0;
  #rowStart = 0;
  #ends: number[] = [];
  #kinds: number[] = [];
  #lines = 0;
  #kind: RowKind = 'line';
  readonly #budget: RowBudget;
  isFull = false;

  constructor(limit: RowBudget) {
    this.#budget = limit;
  }

  /** Adds characters without line breaks to the current row; the rest continues in the next row. */
  add(text: string): void {
    let from = 0;
    while (from < text.length && !this.isFull) {
      const room = budget.rowCharacters - (this.#length - this.#rowStart);
      if (room <= 0) {
        this.#endRow();
        this.#kind = 'continued';
        continue;
      }
      // Two halves of one character stay together.
      const isSplit = from + room < text.length && (text.charCodeAt(from + room) & 0xfc00) === 0xdc00;
      const end = Math.min(text.length, from + Math.max(1, isSplit ? room - 1 : room));
      this.#push(text.slice(from, end));
      if (isSplit) {
        this.#endRow();
        this.#kind = 'continued';
      }
      from = end;
    }
  }

  /** Ends the line; `next` is what the following one is. */
  endLine(next: RowKind = 'line'): void {
    if (this.isFull) return;
    this.#endRow();
    this.#kind = next;
    if (this.#ends.length >= this.#budget.rows) this.isFull = true;
  }

  /** What the current, still empty line is. */
  setKind(kind: RowKind): void {
    this.#kind = kind;
  }

  finish(): Rows {
    const isCut = this.isFull;
    if (!this.isFull || this.#length > this.#rowStart) this.#endRow();
    return {
      text: this.#text,
      ends: Uint32Array.from(this.#ends),
      kinds: Uint8Array.from(this.#kinds),
      isCut,
      lines: this.#lines,
    };
  }

  #push(text: string): void {
    this.#text += text;
    this.#length += text.length;
    if (this.#length >= this.#budget.characters) this.isFull = true;
  }

  #endRow(): void {
    this.#ends.push(this.#length);
    this.#kinds.push(rowKinds.indexOf(this.#kind));
    if (this.#kind !== 'continued') this.#lines += 1;
    this.#rowStart = this.#length;
    if (this.#ends.length >= this.#budget.rows) this.isFull = true;
  }
}

/** A text as received, line by line; CR LF and LF end a line. Costs as much as the budget, however long the text is. */
export function textRows(text: string, limit: RowBudget): Rows {
  const builder = new RowBuilder(limit);
  let at = 0;
  while (!builder.isFull) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    const isCrLf = feed > at && text.charCodeAt(feed - 1) === 13;
    const lineEnd = isCrLf ? end - 1 : end;
    builder.add(text.slice(at, Math.min(lineEnd, at + limit.characters)));
    if (feed < 0) break;
    builder.endLine();
    at = feed + 1;
  }
  return builder.finish();
}

/** The text of one row. */
export function rowText({ text, ends }: Pick<Rows, 'text' | 'ends'>, row: number): string {
  return text.slice(ends[row - 1] ?? 0, ends[row]);
}
