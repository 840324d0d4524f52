// The tokens of a JSON text, each as it was received. The text must be valid (`isJson`), so this only has to find where tokens end; it
// keeps no stack and decodes nothing, and any depth costs the same.

export type JsonTokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'number' | 'word' | 'end';

const marks = ['{', '}', '[', ']', ',', ':'] as const;
/** Classes of characters: `inToken`, `white`, and from `firstMark` on the marks in their order. */
const [inToken, white, firstMark] = [0, 1, 2] as const;
const classes = new Uint8Array(128);
for (const code of [32, 9, 10, 13]) classes[code] = white;
for (const [place, mark] of marks.entries()) classes[mark.charCodeAt(0)] = firstMark + place;

function classOf(code: number): number {
  return code < 128 ? (classes[code] ?? inToken) : inToken;
}

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
    while (at < text.length && classOf(text.charCodeAt(at)) === white) at += 1;
    this.start = at;
    if (at >= text.length) return this.#found('end', at);
    const code = text.charCodeAt(at);
    const found = classOf(code);
    if (found >= firstMark) return this.#found(marks[found - firstMark] ?? 'end', at + 1);
    if (code === 34) return this.#found('string', stringEnd(text, at));
    do at += 1;
    while (at < text.length && classOf(text.charCodeAt(at)) === inToken);
    return this.#found(code === 45 || (code >= 48 && code <= 57) ? 'number' : 'word', at);
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
