// The lines of JSON as json-layout.ts breaks them, as places in the text: comparing two bodies needs the text of only a few lines.
import { type LayoutSink, walkLines } from './json-layout.ts';
import { isJson, JsonTokens } from './json-tokens.ts';
import { NumberList } from './number-list.ts';

export type JsonLines = {
  readonly source: string;
  /** Where each line begins and ends in `source`. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly indents: Int32Array;
  /** 1 for a line with white space between its tokens. */
  readonly gaps: Int32Array;
  readonly isFolded: boolean;
};

/** Undefined if the text is not JSON; `isFolded` with only some of the lines if a level is too deep to be laid out. */
export function jsonLinesOf(source: string): JsonLines | undefined {
  if (!isJson(source)) return undefined;
  const lines = new LineCollector();
  walkLines(source, lines);
  return lines.finish(source);
}

class LineCollector implements LayoutSink {
  readonly #starts = new NumberList();
  readonly #ends = new NumberList();
  readonly #indents = new NumberList();
  readonly #gaps = new NumberList();
  #start = -1;
  #end = 0;
  #indent = 0;
  #hasGap = false;
  isFull = false;

  addToken({ start, end }: JsonTokens): void {
    if (this.#start < 0) this.#start = start;
    else if (start > this.#end) this.#hasGap = true;
    this.#end = end;
  }

  newLine(indent: number): void {
    this.#starts.push(this.#start);
    this.#ends.push(this.#end);
    this.#indents.push(this.#indent);
    this.#gaps.push(this.#hasGap ? 1 : 0);
    this.#start = -1;
    this.#hasGap = false;
    this.#indent = indent;
  }

  fold(): void {
    this.isFull = true;
  }

  finish(source: string): JsonLines {
    this.newLine(0);
    return {
      source,
      starts: this.#starts.values(),
      ends: this.#ends.values(),
      indents: this.#indents.values(),
      gaps: this.#gaps.values(),
      isFolded: this.isFull,
    };
  }
}

/** The text of a line as the layout shows it. */
export function jsonLineText({ source, starts, ends, indents }: JsonLines, line: number): string {
  const text = joinTokens(source.slice(starts[line], ends[line]), ' ');
  return '  '.repeat(indents[line] ?? 0) + text;
}

/** What two lines of the same indentation have in common exactly if they have the same text. */
export function jsonLineKey({ source, starts, ends, gaps }: JsonLines, line: number): string {
  const text = source.slice(starts[line], ends[line]);
  return gaps[line] === 1 ? joinTokens(text, '') : text;
}

/** The tokens of a line, with `space` after colons, and after commas inside the line. */
function joinTokens(line: string, space: string): string {
  const tokens = new JsonTokens(line);
  let text = '';
  while (tokens.next() !== 'end') {
    text += line.slice(tokens.start, tokens.end);
    const hasSpace = tokens.kind === ':' || (tokens.kind === ',' && tokens.end < line.length);
    if (hasSpace) text += space;
  }
  return text;
}
