// Links from anywhere: whatever page opens a `rainbell:` link, and whatever the hash contains. Nothing but bounded values of
// known form comes through, and reading never throws.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { hashOfDeepLink, maxDeepLinkLength } from '#core/hosting/deep-link.ts';
import type { LinkCodec } from '#renderer/store/link-codec.ts';
import { formatHash, parseHash } from '#renderer/store/screen-link.ts';
import { features } from '#renderer/app/app-store.ts';
import type { Screen } from '#renderer/store/app-state.ts';

const screens = features.flatMap(({ screen }) => screen ?? []);
const part = fc.string({ unit: anyCharacter, maxLength: 30 });
const number = fc.oneof(part, fc.double().map(String), fc.constantFrom('1e3', '٣', '0x10', '90.0000001', '-180', ''));
const name = fc.oneof(fc.constantFrom(...screens.map((screen) => screen.name)), part);
const parameter = fc.oneof(
  part,
  fc
    .tuple(fc.constantFrom('q', 'tab', 'at', 'a', 'sort', 'lat', 'item', '__proto__'), part)
    .map((pair) => pair.join('=')),
);
const hash = fc.oneof(
  part,
  fc.tuple(number, number).map(([lat, lng]) => `#/forecast?lat=${lat}&lng=${lng}`),
  fc
    .tuple(name, part, fc.array(parameter, { maxLength: 5 }))
    .map(([screen, item, query]) => `#/${screen}/${item}?${query.join('&')}`),
  fc.constantFrom(
    '#/forecast?lat=%',
    '#/callbacks/%E0%A4%A',
    `#/callbacks?q=${'x'.repeat(30_000)}`,
    '#/constructor',
    `#/monitors?q=${'x'.repeat(201)}`,
  ),
);
const link = fc.oneof(
  hash.map((text) => `rainbell://${text.slice(2)}`),
  fc.constantFrom(
    'javascript:alert(1)',
    'file:///etc/passwd',
    'rainbell:forecast',
    'RAINBELL://FORECAST',
    'rainbell://',
  ),
);

const codecOf = (name: Screen) => screens.find((screen) => screen.name === name)!.link.codec as LinkCodec<object>;

describe('a link from elsewhere', () => {
  it('gives the plain hash of a screen, or nothing', () => {
    fc.assert(
      fc.property(link, (text) => {
        const passed = hashOfDeepLink(text);
        if (passed === undefined) return;
        expect(passed).toMatch(/^#\/[a-z]{1,20}(\/[!-~]*)?(\?[!-~]*)?$/);
        expect(passed.slice(1)).not.toMatch(/["<>#]/);
        expect(passed.length).toBeLessThanOrEqual(maxDeepLinkLength);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read without a crash, into values whose own link has no problem', () => {
    fc.assert(
      fc.property(hash, (text) => {
        const address = parseHash(text, screens);
        if (address === undefined) return;
        const codec = codecOf(address.screen);
        const { value } = codec.parse(address);
        const again = parseHash(formatHash({ screen: address.screen, ...codec.format(value) }), screens);
        expect(again && codec.parse(again)).toEqual({ value, problems: [] });
      }),
      { numRuns: 3_000 },
    );
  });
});

it.each([
  '#/access/sign-in?way=password',
  '#/callbacks/999999999999999?q=a%20b%26%F3%8F%B0%A2&range=15m&time=1970-01-01T00:00:00.004Z~2004-11-03T19:53:47.762Z&verdict=verified,out-of-order&order=path&tab=raw',
  '#/connections/sandbox',
  '#/events/evt_1?q=a%3Db&range=custom&from=2026-11-28T00:00Z&to=2026-11-29T00:00Z&state=failed&host=a.example&front=evt_0&view=fronts',
  '#/forecast?lat=-0.000001335&lng=7.69&compare=fetch:624101851782252;0,0@team-2;-90,180;fetch:326139647427835&view=saved&table=1&tab=json&zone=utc',
  '#/forecast?at=6329-02-09T08:46:42.578Z&tab=curl&zone=mine',
  '#/handler',
  '#/help/callbacks?at=search-callbacks&q=rain',
  '#/monitors/a:b.c~d@e%2Bf-1?q=rain&state=cool-down&sort=-state&map=1',
  '#/sandbox/clock',
  '#/settings/receiver',
  '#/traffic/769828744300460?q=rain&kind=token&connection=sandbox&failed=1&background=1&tab=headers',
])('%s is written as it was read', (link) => {
  const address = parseHash(link, screens)!;
  const codec = codecOf(address.screen);
  const { value, problems } = codec.parse(address);
  expect(problems).toEqual([]);
  expect(formatHash({ screen: address.screen, ...codec.format(value) })).toBe(link);
});
