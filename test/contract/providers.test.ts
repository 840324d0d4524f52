// Each live weather provider is credited wherever its data or its settings are described.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { liveProviders } from '#contract/service-api/sandbox.ts';
import { attributions, providerAttributions } from '#shared/attributions.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe.each(liveProviders)('the provider %s', (provider) => {
  const { name } = providerAttributions[provider];

  it('is credited by the attribution that its word in `sources` matches', () => {
    const credited = attributions.filter(({ match }) => match?.test(provider)).map((credit) => credit.name);
    expect(credited).toEqual([name]);
  });

  it('has a row in the table of providers', () => {
    expect(read('docs/service.md')).toContain(`| ${name}`);
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
