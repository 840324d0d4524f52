// The lines of JSON as json-layout.ts breaks them, as places in the text.
import { walkLines } from './json-layout.ts';
import { isJson, JsonTokens } from './json-tokens.ts';

export type JsonLines = {
  readonly source: string;
  /** Where each line begins and ends in `source`. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly indents: readonly number[];
  readonly isFolded: boolean;
};

/** Undefined if the text is not JSON; `isFolded` with only some of the lines if a level is too deep to be laid out. */
export function jsonLinesOf(source: string): JsonLines | undefined {
  if (!isJson(source)) return undefined;
  const starts: number[] = [];
  const ends: number[] = [];
  const indents: number[] = [];
  let [start, end, indent] = [-1, 0, 0];
  let isFolded = false;
  const newLine = (nextIndent: number) => {
    starts.push(start);
    ends.push(end);
    indents.push(indent);
    [start, indent] = [-1, nextIndent];
  };
  walkLines(source, {
    get isFull() {
      return isFolded;
    },
    addToken(token) {
      if (start < 0) start = token.start;
      end = token.end;
    },
    newLine,
    fold() {
      isFolded = true;
    },
  });
  newLine(0);
  return { source, starts, ends, indents, isFolded };
}

/** The text of a line as the layout shows it: with a space after colons, and after commas inside the line. */
export function jsonLineText({ source, starts, ends, indents }: JsonLines, line: number): string {
  const tokens = new JsonTokens(source.slice(starts[line], ends[line]));
  let text = '  '.repeat(indents[line] ?? 0);
  while (tokens.next() !== 'end') {
    text += tokens.text.slice(tokens.start, tokens.end);
    const hasSpace = tokens.kind === ':' || (tokens.kind === ',' && tokens.end < tokens.text.length);
    if (hasSpace) text += ' ';
  }
  return text;
}
