// The tokens of a JSON text, each as it was received. The text must be valid (`isJson`), so this only has to find where tokens end; it
// keeps no stack and decodes nothing, and any depth costs the same.

export type JsonTokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'word' | 'end';

const white = new Set([32, 9, 10, 13]);
const marks: Readonly<Record<number, JsonTokenKind>> = {
  123: '{',
  125: '}',
  91: '[',
  93: ']',
  44: ',',
  58: ':',
};

/** Walks through a valid JSON text; after `next`, `kind`, `start` and `end` describe the token. */
export class JsonTokens {
  readonly text: string;
  kind: JsonTokenKind = 'end';
  start = 0;
  end = 0;

  constructor(text: string) {
    this.text = text;
  }

  next(): JsonTokenKind {
    const { text } = this;
    let at = this.end;
    while (white.has(text.charCodeAt(at))) at += 1;
    this.start = at;
    if (at >= text.length) return this.#found('end', at);
    const code = text.charCodeAt(at);
    const mark = marks[code];
    if (mark !== undefined) return this.#found(mark, at + 1);
    if (code === 34) return this.#found('string', stringEnd(text, at));
    do at += 1;
    while (at < text.length && !endsWord(text.charCodeAt(at)));
    return this.#found(code === 45 || (code >= 48 && code <= 57) ? 'number' : 'word', at);
  }

  /** Skips the value whose first token is the current one; returns what it contained. */
  skipValue(): { members: number; levels: number } {
    let depth = 0;
    let members = 0;
    let levels = 0;
    let isEmpty = true;
    for (;;) {
      if (this.kind === '{' || this.kind === '[') {
        if (depth === 1) isEmpty = false;
        depth += 1;
        levels = Math.max(levels, depth);
      } else if (this.kind === '}' || this.kind === ']') depth -= 1;
      else if (this.kind === ',') members += depth === 1 ? 1 : 0;
      else if (depth === 1) isEmpty = false;
      if (depth === 0 || this.kind === 'end') return { members: isEmpty ? 0 : members + 1, levels };
      this.next();
    }
  }

  #found(kind: JsonTokenKind, end: number): JsonTokenKind {
    this.kind = kind;
    this.end = end;
    return kind;
  }
}

function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function endsWord(code: number): boolean {
  return white.has(code) || marks[code] !== undefined;
}

/** Whether the text is JSON; V8 parses it without recursion, so depth is not a risk. */
export function isJson(text: string): boolean {
  // Most texts that are not JSON show it at once.
  if (!/^[\s]*[[{"\-\dtfn]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
