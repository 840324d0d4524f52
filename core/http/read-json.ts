// Reads JSON from a service within bounds. The bounds are checked in one pass over the text before anything is built from it:
// neither deep nesting nor a million values costs more than that pass.

export type JsonBounds = { depth: number; values: number; items: number };

export type JsonReading = {
  value: unknown;
  /** Start and end of each entry of the top-level list `objects` in the text. */
  itemRanges: [number, number][];
};

export type JsonRefusal =
  /** `isCutOff`: the text begins like JSON, and ends too early. */
  | { reason: 'syntax'; isCutOff: boolean }
  /** `seen`: the number found. */
  | { reason: keyof JsonBounds; seen: number };

export type JsonOutcome = ({ ok: true } & JsonReading) | ({ ok: false } & JsonRefusal);

/** No response of the interface nests deeper than 7 levels. */
export const maxDepth = 64;
/** The largest list has 20,000 entries with about 30 values each. */
const maxValues = 800_000;

export function jsonBounds(items: number): JsonBounds {
  return { depth: maxDepth, values: maxValues, items };
}

/** Parses the text, or returns the bound that it exceeds. Never throws. */
export function readJsonText(received: string, bounds: JsonBounds): JsonOutcome {
  // A byte order mark counts as white space, so that places in the text stay the same (RFC 8259 section 8.1).
  const text = received.replace(/^\uFEFF/, ' ');
  const { depth, values, items, itemRanges } = measure(text, bounds.items);
  if (depth > bounds.depth) return { ok: false, reason: 'depth', seen: depth };
  if (items > bounds.items) return { ok: false, reason: 'items', seen: items };
  if (values > bounds.values) return { ok: false, reason: 'values', seen: values };
  try {
    return { ok: true, value: JSON.parse(text), itemRanges };
  } catch {
    return { ok: false, reason: 'syntax', isCutOff: /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text) };
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;

/** Measures in one pass without recursion. If the text is not JSON, the numbers are meaningless, and `JSON.parse` throws. */
function measure(text: string, maxItems: number) {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  let items = 0;
  let itemRanges: [number, number][] = [];
  let topMember = '';
  let isInObjects = false;
  let itemStart = -1;
  let lastEnd = 0;
  const isTopObject = text.charCodeAt(text.search(/\S/)) === openBrace;

  function startValue(at: number): void {
    values += 1;
    if (isInObjects && depth === 2 && itemStart < 0) itemStart = at;
  }
  function endItem(): void {
    if (isInObjects && depth === 2 && itemStart >= 0) {
      items += 1;
      // A body of 16 MB can have millions, whose places alone would fill the thread's memory.
      if (items <= maxItems) itemRanges.push([itemStart, lastEnd]);
    }
    itemStart = -1;
  }

  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    switch (character) {
      case openBrace:
      case openBracket:
        startValue(at);
        depth += 1;
        deepest = Math.max(deepest, depth);
        if (depth === 2 && character === openBracket && isTopObject) {
          isInObjects = topMember === '"objects"';
          // The last of repeated members counts, as in JSON.parse.
          if (isInObjects) [items, itemRanges] = [0, []];
        }
        break;
      case closeBrace:
      case closeBracket:
        if (depth === 2) {
          endItem();
          isInObjects = false;
        }
        depth -= 1;
        lastEnd = at + 1;
        break;
      case comma:
        if (depth === 2) endItem();
        break;
      case colon:
        break;
      default:
        if (character <= space) break;
        startValue(at);
        lastEnd = character === quote ? endOfString(text, at) : endOfLiteral(text, at);
        if (character === quote && depth === 1) topMember = text.slice(at, lastEnd);
        at = lastEnd - 1;
    }
  }
  return { depth: deepest, values, items, itemRanges };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) return at + 1;
    if (character === backslash) at += 1;
  }
  return text.length;
}

function endOfLiteral(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const isOver =
      character <= space ||
      character === comma ||
      character === colon ||
      character === closeBracket ||
      character === closeBrace ||
      character === openBracket ||
      character === openBrace ||
      character === quote;
    if (isOver) break;
  }
  return at;
}
