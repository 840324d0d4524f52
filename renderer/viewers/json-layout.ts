// JSON laid out for reading, as JSON.stringify(value, null, 2) does it, except that every token (a number's digits, a string's escapes,
// the order of members, duplicates) stays as received, short lists stay on one line, and depth is bounded.
import { budget } from './budget.ts';
import { JsonTokens, type JsonTokenKind } from './json-tokens.ts';
import { RowBuilder, type RowBudget, type Rows, type RunStyle } from './rows.ts';

export type JsonLayout = {
  rows: Rows;
  /** Number of folded levels beyond the budget; 0 if all are shown. */
  foldedLevels: number;
};

type Options = RowBudget & { flatListItems?: number };

/** `text` must be valid JSON. Linear in the length of the text. */
export function layOutJson(text: string, { flatListItems = budget.flatListItems, ...limit }: Options): JsonLayout {
  const builder = new RowBuilder(limit);
  const tokens = new JsonTokens(text);
  let depth = 0;
  let foldedLevels = 0;
  let isFlat = false;
  const newLine = () => {
    builder.endLine();
    builder.add('  '.repeat(Math.min(depth, budget.indentLevels)));
  };
  let before: JsonTokenKind = 'end';
  tokens.next();
  while (tokens.kind !== 'end' && !builder.isFull) {
    const { kind } = tokens;
    switch (kind) {
      case '{':
      case '[':
        if (depth >= budget.depth) {
          foldedLevels = Math.max(foldedLevels, fold(tokens, builder));
          before = kind === '{' ? '}' : ']';
          tokens.next();
          continue;
        }
        builder.add(kind, 'mark');
        depth += 1;
        isFlat = kind === '[' && isShortList(text, tokens.end, flatListItems);
        if (!isFlat && !isClosedNext(text, tokens.end)) newLine();
        break;
      case '}':
      case ']':
        depth -= 1;
        if (before !== '{' && before !== '[' && !isFlat) newLine();
        isFlat = false;
        builder.add(kind, 'mark');
        break;
      case ',':
        builder.add(isFlat ? ', ' : ',', 'mark');
        if (!isFlat) newLine();
        break;
      case ':':
        builder.add(': ', 'mark');
        break;
      case 'string':
      case 'number':
      case 'word':
        builder.add(text.slice(tokens.start, tokens.end), styleOf(kind, text, tokens.end));
        break;
    }
    before = kind;
    tokens.next();
  }
  return { rows: builder.finish(), foldedLevels };
}

/** Adds one note for a branch that is too deep; returns its number of levels. */
function fold(tokens: JsonTokens, builder: RowBuilder): number {
  const [open, close] = tokens.kind === '{' ? ['{', '}'] : ['[', ']'];
  const { levels, members } = tokens.skipValue();
  if (members === 0) builder.add(`${open}${close}`, 'mark');
  else builder.add(`${open}… ${levels === 1 ? '1 level' : `${levels.toLocaleString('en')} levels`} …${close}`, 'note');
  return members === 0 ? 0 : levels;
}

function styleOf(kind: 'string' | 'number' | 'word', text: string, end: number): RunStyle {
  if (kind !== 'string') return kind;
  return nextMark(text, end) === ':' ? 'key' : 'string';
}

function isClosedNext(text: string, at: number): boolean {
  const next = nextMark(text, at);
  return next === '}' || next === ']';
}

function nextMark(text: string, at: number): string {
  return text.charAt(firstBlack(text, at));
}

function firstBlack(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Whether a list, of which `at` is behind the bracket, holds one to `most` plain values. Looks at that many tokens only. */
function isShortList(text: string, at: number, most: number): boolean {
  const ahead = new JsonTokens(text);
  ahead.end = at;
  for (let items = 0; items < most; items += 1) {
    const kind = ahead.next();
    if (kind !== 'string' && kind !== 'number' && kind !== 'word') return false;
    if (ahead.end - at > budget.rowCharacters) return false;
    if (ahead.next() === ']') return true;
  }
  return false;
}
