// Parses coordinates that users type: returns the value, or what is wrong with it.

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Parses decimal degrees; accepts a comma or a true minus; ±`limit` itself is valid. */
export function parseDegrees(text: string, name: 'Latitude' | 'Longitude'): Parsed<number> {
  const limit = name === 'Latitude' ? 90 : 180;
  const plain = text.trim().replace('−', '-').replace(/°$/, '').replace(',', '.');
  if (plain === '') return { ok: false, problem: `${name} is missing. Enter a number from −${limit} to ${limit}.` };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain)) {
    return {
      ok: false,
      problem: `${name} must be a decimal number such as ${name === 'Latitude' ? '45.07' : '7.69'}.`,
    };
  }
  const value = Number(plain);
  if (Math.abs(value) > limit) {
    const isSwapped = name === 'Latitude' && Math.abs(value) <= 180;
    const range = `${name} must be from −${limit} to ${limit}.`;
    return { ok: false, problem: isSwapped ? `${range} Are latitude and longitude swapped?` : range };
  }
  return { ok: true, value: value === 0 ? 0 : value };
}

/** Describes the error in a text that looks like `latitude, longitude`; undefined if it looks like something else. */
export function coordinateProblem(text: string): string | undefined {
  const pair = /^\s*([+−-]?\d[\d.]*)°?\s*[,;\s]\s*([+−-]?\d[\d.]*)°?\s*$/.exec(text);
  if (!pair) return undefined;
  const [lat, lng] = [parseDegrees(pair[1] ?? '', 'Latitude'), parseDegrees(pair[2] ?? '', 'Longitude')];
  return lat.ok ? (lng.ok ? undefined : lng.problem) : lat.problem;
}

/** Formats degrees so that `parseDegrees` can read them: `0.0000001`, never `1e-7`. */
export function writeDegrees(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '').replace(/\.$/, '') : text;
}
