// Bodies that are built to freeze or crash a viewer, each with what a good viewer shows of it.

export type HostileBody = { headers: Record<string, string>; bytes: Uint8Array; shows: string | RegExp };

const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };

const encode = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

export function hostileBodies(): Record<string, HostileBody> {
  const unformatted = /^Shown as received: JSON with more than 200 levels/;
  const wide = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`key${index}`, index]));
  const parts = '--x\r\n\r\nhello\r\n'.repeat(20_000);
  return {
    'deep-5000': { headers: json, bytes: encode(nested(5_000)), shows: unformatted },
    'deep-100000': { headers: json, bytes: encode(nested(100_000)), shows: unformatted },
    wide: { headers: json, bytes: encode(JSON.stringify(wide)), shows: '"key0"' },
    'one-line': {
      headers: plain,
      bytes: encode('lorem ipsum '.repeat(80_000)),
      shows: 'Showing the first 400,000 characters of one line.',
    },
    strings: {
      headers: json,
      bytes: encode(JSON.stringify('"\\'.repeat(120_000))),
      shows: 'Showing the first 400,000 characters of one line.',
    },
    marks: { headers: plain, bytes: encode(`e${'\u0301'.repeat(300_000)}`), shows: /\\u0301×/ },
    'spread-marks': {
      headers: plain,
      bytes: encode(`e${'\u0301'.repeat(8)}`.repeat(40_000)),
      shows: /(e\u0301{8}){3}/,
    },
    controls: { headers: plain, bytes: encode('a\u202E'.repeat(150_000)), shows: '\\u202E' },
    form: {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      bytes: encode('a=1&'.repeat(100_000)),
      shows: 'Showing the first 2,000 of 100,000 fields.',
    },
    multipart: {
      headers: { 'content-type': 'multipart/mixed; boundary=x' },
      bytes: encode(`${parts}--x--`),
      shows: /^Showing the first 100 of 20,000 parts/,
    },
    bytes: {
      headers: { 'content-type': 'image/png' },
      bytes: new Uint8Array(700_000).fill(0xfe),
      shows: 'Showing the first 5,000 lines.',
    },
    lines: { headers: plain, bytes: encode('\n'.repeat(500_000)), shows: 'Showing the first 5,000 lines.' },
  };
}
