// docs/interface.md §4.4: every icon name has a picture that anyone may load and keep, and that is seen on light and on
// dark pages.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/service-api/service-errors.ts';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { registerIconRoutes } from '#service/icons/icon-routes.ts';
import { serveRoutes } from '#test/service/http/serve-routes.ts';

let icons = '';

beforeAll(async () => {
  const served = await serveRoutes(registerIconRoutes);
  icons = `${served.baseUrl}/v2/icons`;
  return served.close;
});

/** Relative luminance and contrast of `#rrggbb` colors, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.for(iconNames)(
  '%s is an SVG for anyone, kept for a day, that stands out from a white page and from a dark one',
  async (name) => {
    const response = await fetch(`${icons}/${name}?v=2&any=thing`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=604800');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const svg = await response.text();
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 100 100"/);
    expect(svg).not.toMatch(/<script|undefined|(?:href|src)="(?!#|data:image\/png)/);
    const colours = svg.match(/#[0-9a-f]{6}\b/g) ?? [];
    for (const page of ['#ffffff', '#242424'])
      expect(Math.max(...colours.map((colour) => contrast(colour, page)))).toBeGreaterThanOrEqual(3);
  },
);

/** What the package's README and MET Norway's legend (test/fixtures/tables) call the weather of an icon name. */
const meanings = [
  ['sunny', 'Clear sky', 'd'],
  ['clear_moon', 'Clear sky', 'n'],
  ['partly_sunny', 'Partly cloudy', 'd'],
  ['partly_moon', 'Partly cloudy', 'n'],
  ['cloudy', 'Cloudy', ''],
  ['foggy', 'Fog', ''],
  ['rainy', 'Rain', ''],
  ['snow_flurries', 'Light snow', ''],
  ['snowy', 'Snow', ''],
  ['stormy', 'Rain and thunder', ''],
] as const;

test.for(meanings)('%s is drawn as the symbol of "%s"', async ([name, meaning, time]) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const row = read('../../../node_modules/@yr/weather-symbols/README.md').match(
    new RegExp(String.raw`^\| ${meaning} +\| (\d\d)`, 'm'),
  );
  const { symbols } = JSON.parse(read('../../fixtures/tables/met-norway-symbol-codes.json')) as {
    symbols: { english: string; oldId: number }[];
  };
  expect(symbols.find(({ english }) => english === meaning)?.oldId).toBe(Number(row?.[1]));
  const original = read(`../../../node_modules/@yr/weather-symbols/dist/svg/${row?.[1]}${time}.svg`);
  // Colors and edges are ours (service/icons/icon-routes.ts).
  const shapes = (svg: string) => svg.match(/ (?:d|transform|x|y|id|xlink:href|href)="[^"]+"/g);
  const served = await (await fetch(`${icons}/${name}`)).text();
  expect(shapes(served)).toEqual(shapes(original));
});

test('a client that has the picture gets 304 without the picture', async () => {
  const etag = (await fetch(`${icons}/rainy`)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await fetch(`${icons}/rainy`, { headers: { 'if-none-match': tags } });
    expect({ tags, status: again.status }).toEqual({ tags, status: 304 });
    expect(await again.text()).toBe('');
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toContain('max-age=86400');
  }
  expect((await fetch(`${icons}/snowy`, { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('there is no other icon, and the response says so', async () => {
  for (const name of ['sunshine', 'Sunny', '01d', 'constructor', '__proto__', '..%2F..%2Fpackage.json', 'sunny.svg']) {
    const response = await fetch(`${icons}/${name}`);
    expect([name, response.status]).toEqual([name, 404]);
    const body = errorBodySchema.parse(await response.json());
    expect(body.error).toBe('not_found');
    expect(body.error_description).toContain('sunny, clear_moon');
    expect(response.headers.get('cache-control') ?? '').not.toContain('max-age');
  }
});
