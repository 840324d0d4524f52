// Where a text stops being JSON (RFC 8259). `JSON.parse` names the place in some of its messages only, so it is searched for
// after it has thrown.

/** `byte`: of the UTF-8 text. Both count from 1. `isCutOff`: the text is the beginning of JSON, and ends too early. */
export type JsonPlace = { byte: number; line: number; isCutOff: boolean };

const punctuation = /[ \t\n\r]*([[\]{},:])/y;
const scalar =
  // oxlint-disable-next-line no-control-regex -- JSON strings hold no control characters
  /[ \t\n\r]*(?:("[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001F]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;
const blank = /[ \t\n\r]*/y;
/** A string without its end, or the beginning of a number or a word. */
const unfinished = /^(?:"[^"\\]*(?:\\.[^"\\]*)*\\?|-?[\d.Ee+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/s;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** Of a text that `JSON.parse` refuses. */
export function syntaxErrorPlace(text: string): JsonPlace {
  const at = firstError(text);
  const rest = text.slice(at).trimEnd();
  const isCutOff = text.trim() !== '' && unfinished.test(rest);
  const end = isCutOff ? text.length : at;
  const before = text.slice(0, end);
  return { byte: Buffer.byteLength(before) + (isCutOff ? 0 : 1), line: before.split('\n').length, isCutOff };
}

/** Position of the first token that is invalid there. Not recursive, because the nesting is untrusted. */
function firstError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');
  for (;;) {
    const mark = read(punctuation, text, at);
    const token = mark ?? read(scalar, text, at);
    if (!token) break;
    const next: Expected | undefined = mark
      ? afterMark(mark.text, expected, open, afterValue)
      : afterScalar(token.text, expected, afterValue);
    if (next === undefined) break;
    expected = next;
    at = token.end;
  }
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

function read(pattern: RegExp, text: string, at: number): { text: string; end: number } | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { text: found[0].trimStart(), end: pattern.lastIndex } : undefined;
}

function afterScalar(token: string, expected: Expected, afterValue: () => Expected): Expected | undefined {
  if (expected === 'value' || expected === 'value-or-end') return afterValue();
  const isKey = token.startsWith('"') && (expected === 'key' || expected === 'key-or-end');
  return isKey ? 'colon' : undefined;
}

function afterMark(
  mark: string,
  expected: Expected,
  open: ('{' | '[')[],
  afterValue: () => Expected,
): Expected | undefined {
  const isValue = expected === 'value' || expected === 'value-or-end';
  if (mark === '{' || mark === '[') {
    if (!isValue) return undefined;
    open.push(mark);
    return mark === '{' ? 'key-or-end' : 'value-or-end';
  }
  if (mark === ':') return expected === 'colon' ? 'value' : undefined;
  if (mark === ',') {
    if (expected !== 'comma-or-end') return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  const mayEnd = expected === 'comma-or-end' || expected === (mark === '}' ? 'key-or-end' : 'value-or-end');
  if (!mayEnd || open.pop() !== (mark === '}' ? '{' : '[')) return undefined;
  return afterValue();
}
