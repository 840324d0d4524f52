// JSON text for reading: white space is laid out anew and pieces are told apart for colouring, but every token (a number's
// digits, a string's escapes, the order of members) stays as it was received.

export type JsonPiece = { kind: 'key' | 'string' | 'number' | 'word' | 'mark'; text: string };

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-zA-Z]+|[{}[\],:]|\s+|./gsu;

/** The pieces of a JSON text, laid out with two blanks per level. A text that is no JSON comes back as it is. */
export function layOutJson(text: string): readonly JsonPiece[] {
  const tokens = (text.match(token) ?? []).filter((one) => one.trim() !== '');
  const pieces: JsonPiece[] = [];
  let depth = 0;
  const newLine = () => pieces.push({ kind: 'mark', text: `\n${'  '.repeat(depth)}` });
  tokens.forEach((one, index) => {
    const next = tokens[index + 1];
    if (one === '{' || one === '[') {
      pieces.push({ kind: 'mark', text: one });
      depth++;
      if (next !== '}' && next !== ']' && !isFlat(tokens, index)) newLine();
    } else if (one === '}' || one === ']') {
      depth = Math.max(0, depth - 1);
      const before = tokens[index - 1];
      if (before !== '{' && before !== '[' && !endsFlat(tokens, index)) newLine();
      pieces.push({ kind: 'mark', text: one });
    } else if (one === ',') {
      pieces.push({ kind: 'mark', text: insideFlat(tokens, index) ? ', ' : ',' });
      if (!insideFlat(tokens, index)) newLine();
    } else if (one === ':') {
      pieces.push({ kind: 'mark', text: ': ' });
    } else {
      pieces.push({ kind: kindOf(one, next), text: one });
    }
  });
  return pieces;
}

function kindOf(one: string, next: string | undefined): JsonPiece['kind'] {
  if (one.startsWith('"')) return next === ':' ? 'key' : 'string';
  return /^-?\d/.test(one) ? 'number' : 'word';
}

const flatLimit = 8;

/** Whether the bracket at `open` holds only a few plain values, such as coordinates; such lists stay on one line. */
function isFlat(tokens: readonly string[], open: number): boolean {
  if (tokens[open] !== '[') return false;
  for (let at = open + 1; at <= open + flatLimit; at++) {
    const one = tokens[at];
    if (one === ']') return true;
    if (one === undefined || one === '{' || one === '[' || one === '}') return false;
  }
  return false;
}

function endsFlat(tokens: readonly string[], close: number): boolean {
  const open = tokens.lastIndexOf('[', close);
  return tokens[close] === ']' && open >= 0 && close - open <= flatLimit && isFlat(tokens, open);
}

function insideFlat(tokens: readonly string[], at: number): boolean {
  for (let open = at - 1; open >= Math.max(0, at - flatLimit); open--) {
    const one = tokens[open];
    if (one === '[') return isFlat(tokens, open);
    if (one === ']' || one === '{' || one === '}') return false;
  }
  return false;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
