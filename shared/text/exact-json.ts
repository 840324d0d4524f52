// JSON without rounding: a number that a double can't hold stays as written (https://tc39.es/proposal-json-parse-with-source/).

declare global {
  // Only an interface adds to another one.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(source: string): object;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/** Shorter numbers are exact; most texts have no longer ones, and parse faster without a reviver. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Throws SyntaxError, as JSON.parse does. */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source = '' }) => {
    const isLong = typeof value === 'number' && longNumber.test(source);
    return isLong && source !== String(value) ? JSON.rawJSON(source) : value;
  });
}

/** Returns undefined for anything other than a JSON object. Ignores white space and a byte order mark around it. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactly(text.trim());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}
