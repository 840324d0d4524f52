// Each live weather provider is credited wherever its data or its settings are described.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { liveProviders, type LiveProvider } from '#contract/service-api/sandbox.ts';
import { attributions } from '#shared/attributions.ts';

/** The provider's name in texts, as in shared/attributions.ts. */
const names: Record<LiveProvider, string> = { 'open-meteo': 'Open-Meteo', 'met-norway': 'MET Norway' };

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe.each(liveProviders)('the provider %s', (provider) => {
  it('is credited by the attribution that its word in `sources` matches', () => {
    const credited = attributions.filter(({ match }) => match?.test(provider)).map(({ name }) => name);
    expect(credited).toEqual([names[provider]]);
  });

  it('has a row in the table of providers', () => {
    expect(read('docs/service.md')).toContain(`| ${names[provider]}`);
  });
});

it('credits the origin of the time zones, with its license, in the app and the README', () => {
  const zones = attributions.find(({ name }) => name === 'OpenStreetMap');
  expect(zones).toMatchObject({
    url: 'https://www.openstreetmap.org/copyright',
    licence: expect.stringContaining('ODbL'),
  });
  expect(read('README.md')).toContain('[OpenStreetMap](https://www.openstreetmap.org/copyright) (ODbL)');
});
