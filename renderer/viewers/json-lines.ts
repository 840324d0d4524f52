// The lines of a JSON text, broken as JSON.stringify(value, null, 2) does it, except that short lists stay on one line. They are places in
// the text, so every token (a number's digits, a string's escapes, the order of members, duplicates) stays as received.
import { budget } from './budget.ts';
import { isJson, JsonTokens, type JsonTokenKind } from './json-tokens.ts';

export type JsonLines = {
  readonly source: string;
  /** Where each line begins and ends in `source`. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly indents: readonly number[];
};

/** Undefined if the text is not JSON, or beyond the budget's depth or lines. Reads each character a bounded number of times. */
export function jsonLinesOf(source: string): JsonLines | undefined {
  if (!isJson(source)) return undefined;
  const starts: number[] = [];
  const ends: number[] = [];
  const indents: number[] = [];
  const tokens = new JsonTokens(source);
  let depth = 0;
  let isInShortList = false;
  let before: JsonTokenKind = 'end';
  while (tokens.next() !== 'end') {
    const { kind, start, end } = tokens;
    const isClosing = kind === '}' || kind === ']';
    if (isClosing) depth -= 1;
    // An empty branch stays on one line.
    const isLineStart = before === 'end' || before === ',' || isOpening(before) !== isClosing;
    if (isLineStart && !isInShortList) {
      starts.push(start);
      indents.push(Math.min(depth, budget.indentLevels));
      ends.push(end);
    } else ends[ends.length - 1] = end;
    if (isOpening(kind)) {
      depth += 1;
      isInShortList = kind === '[' && isShortList(source, end);
    } else if (isClosing) isInShortList = false;
    if (depth > budget.depth || starts.length > budget.jsonLines) return undefined;
    before = kind;
  }
  return { source, starts, ends, indents };
}

function isOpening(kind: JsonTokenKind): boolean {
  return kind === '{' || kind === '[';
}

/** Whether a list, of which `at` is behind the bracket, holds a few plain values. Looks at that many tokens only. */
function isShortList(text: string, at: number): boolean {
  const ahead = new JsonTokens(text);
  ahead.end = at;
  for (let items = 0; items < budget.flatListItems; items += 1) {
    const kind = ahead.next();
    if (kind !== 'string' && kind !== 'number' && kind !== 'word') return false;
    if (ahead.end - at > budget.rowCharacters) return false;
    if (ahead.next() === ']') return true;
  }
  return false;
}

/** The text of a line as the viewer shows it: with a space after colons, and after commas inside the line. */
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
