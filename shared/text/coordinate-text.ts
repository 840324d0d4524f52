// Parses coordinates that users type: returns the value, or what is wrong with it.

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

const latitude = {
  limit: 90,
  missing: 'Latitude is missing. Enter a number from −90 to 90.',
  notNumber: 'Latitude must be a decimal number such as 45.07.',
  outside: 'Latitude must be from −90 to 90.',
};
const longitude = {
  limit: 180,
  missing: 'Longitude is missing. Enter a number from −180 to 180.',
  notNumber: 'Longitude must be a decimal number such as 7.69.',
  outside: 'Longitude must be from −180 to 180.',
};
const perhapsSwapped = 'Latitude must be from −90 to 90. Are latitude and longitude swapped?';

/** Parses decimal degrees; accepts a comma or a true minus; ±`limit` itself is valid. */
export function parseDegrees(text: string, of: 'lat' | 'lng'): Parsed<number> {
  const { limit, missing, notNumber, outside } = of === 'lat' ? latitude : longitude;
  const plain = text.trim().replace('−', '-').replace(/°$/, '').replace(',', '.');
  if (plain === '') return { ok: false, problem: missing };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain)) return { ok: false, problem: notNumber };
  const value = Number(plain);
  if (Math.abs(value) > limit) {
    const problem = of === 'lat' && Math.abs(value) <= longitude.limit ? perhapsSwapped : outside;
    return { ok: false, problem };
  }
  return { ok: true, value: value === 0 ? 0 : value };
}

/** Reads `latitude, longitude`: what is wrong as a sentence, or undefined if the text looks like something else. */
export function parseLatLng(text: string): { lat: number; lng: number } | string | undefined {
  const pair = /^\s*([+−-]?\d[\d.]*)°?\s*[,;\s]\s*([+−-]?\d[\d.]*)°?\s*$/.exec(text);
  if (!pair) return undefined;
  const [lat, lng] = [parseDegrees(pair[1] ?? '', 'lat'), parseDegrees(pair[2] ?? '', 'lng')];
  return lat.ok ? (lng.ok ? { lat: lat.value, lng: lng.value } : lng.problem) : lat.problem;
}

/** Formats degrees so that `parseDegrees` can read them: `0.0000001`, never `1e-7`. */
export function writeDegrees(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '').replace(/\.$/, '') : text;
}
