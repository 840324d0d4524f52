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

/** Receives a JSON text token by token and line by line. */
type LayoutSink = {
  readonly isFull: boolean;
  /** `isFlat`: inside a short list. */
  addToken: (tokens: JsonTokens, isFlat: boolean) => void;
  newLine: (indent: number) => void;
  /** Takes a branch beyond the budget's depth: must skip its value. */
  fold: (tokens: JsonTokens) => void;
};

/** `text` must be valid JSON. Linear in the length of the text. */
export function layOutJson(text: string, { flatListItems, ...limit }: Options): JsonLayout {
  const builder = new RowBuilder(limit);
  let foldedLevels = 0;
  walkLines(
    text,
    {
      get isFull() {
        return builder.isFull;
      },
      newLine(indent) {
        builder.endLine();
        builder.add('  '.repeat(indent));
      },
      addToken({ kind, start, end }, isFlat) {
        if (kind === ',') builder.add(isFlat ? ', ' : ',', 'mark');
        else if (kind === ':') builder.add(': ', 'mark');
        else if (kind === 'string' || kind === 'number' || kind === 'word')
          builder.add(text.slice(start, end), styleOf(kind, text, end));
        else builder.add(kind, 'mark');
      },
      fold(tokens) {
        foldedLevels = Math.max(foldedLevels, fold(tokens, builder));
      },
    },
    flatListItems,
  );
  return { rows: builder.finish(), foldedLevels };
}

/** Walks through valid JSON and finds where to break its lines. Reads each character a bounded number of times. */
export function walkLines(text: string, sink: LayoutSink, flatListItems: number = budget.flatListItems): void {
  const tokens = new JsonTokens(text);
  let depth = 0;
  let isFlat = false;
  let before: JsonTokenKind = 'end';
  const newLine = () => sink.newLine(Math.min(depth, budget.indentLevels));
  tokens.next();
  while (tokens.kind !== 'end' && !sink.isFull) {
    const { kind } = tokens;
    if (kind === '{' || kind === '[') {
      if (depth >= budget.depth) {
        sink.fold(tokens);
        before = kind === '{' ? '}' : ']';
        tokens.next();
        continue;
      }
      sink.addToken(tokens, false);
      depth += 1;
      isFlat = kind === '[' && isShortList(text, tokens.end, flatListItems);
      if (!isFlat && !isClosedNext(text, tokens.end)) newLine();
    } else if (kind === '}' || kind === ']') {
      depth -= 1;
      if (before !== '{' && before !== '[' && !isFlat) newLine();
      isFlat = false;
      sink.addToken(tokens, false);
    } else {
      sink.addToken(tokens, isFlat);
      if (kind === ',' && !isFlat) newLine();
    }
    before = kind;
    tokens.next();
  }
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
  let place = at;
  while (place < text.length && text.charCodeAt(place) <= 32) place += 1;
  return text.charAt(place);
}

/** Whether a list, of which `at` is behind the bracket, holds one to `max` plain values. Looks at that many tokens only. */
function isShortList(text: string, at: number, max: number): boolean {
  const ahead = new JsonTokens(text);
  ahead.end = at;
  for (let items = 0; items < max; items += 1) {
    const kind = ahead.next();
    if (kind !== 'string' && kind !== 'number' && kind !== 'word') return false;
    if (ahead.end - at > budget.rowCharacters) return false;
    if (ahead.next() === ']') return true;
  }
  return false;
}
