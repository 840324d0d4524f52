// Links from anywhere: whatever page opens a `rainbell:` link, and whatever the hash contains. Nothing but bounded values of
// known form comes through, and reading never throws.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { callbackOrders, verdictNames } from '#contract/app-rpc/callback-verdicts.ts';
import { hashOfDeepLink, maxDeepLinkLength } from '#core/hosting/deep-link.ts';
import { accessCodec } from '#renderer/features/access/access-link.ts';
import { timeRanges } from '#renderer/features/callbacks/common/callback-view.ts';
import { callbacksCodec } from '#renderer/features/callbacks/callbacks-link.ts';
import { connectionsCodec } from '#renderer/features/connections/connections-link.ts';
import { eventsCodec } from '#renderer/features/events/events-link.ts';
import { eventRanges, eventViews, shownStates } from '#renderer/features/events/events-slice.ts';
import type { CompareSide } from '#renderer/features/forecast/compare/compare-side.ts';
import { forecastCodec } from '#renderer/features/forecast/forecast-link.ts';
import { helpCodec } from '#renderer/features/help/help-link.ts';
import { monitorsCodec } from '#renderer/features/monitors/monitors-link.ts';
import { sandboxCodec } from '#renderer/features/sandbox/sandbox-link.ts';
import { settingsCodec } from '#renderer/features/settings/settings-link.ts';
import { trafficCodec } from '#renderer/features/traffic/traffic-link.ts';
import { type LinkCodec, linkCodec } from '#renderer/store/link-codec.ts';
import { formatHash, parseHash } from '#renderer/store/screen-link.ts';
import { features } from '#renderer/app/app-store.ts';
import type { Screen } from '#renderer/store/app-state.ts';

const screens = features.flatMap(({ screen }) => screen ?? []);
const part = fc.string({ unit: 'binary', maxLength: 30 });
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

const codecs: Readonly<Record<Screen, unknown>> = {
  forecast: forecastCodec,
  monitors: monitorsCodec,
  events: eventsCodec,
  callbacks: callbacksCodec,
  access: accessCodec,
  traffic: trafficCodec,
  sandbox: sandboxCodec,
  connections: connectionsCodec,
  settings: settingsCodec,
  handler: linkCodec({}),
  help: helpCodec,
};

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
        const codec = codecs[address.screen] as LinkCodec<object>;
        const { value } = codec.parse(address);
        const again = parseHash(formatHash({ screen: address.screen, ...codec.format(value) }), screens);
        expect(again && codec.parse(again)).toEqual({ value, problems: [] });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the state of a screen', () => {
  const degrees = (limit: number) =>
    fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => Number(value.toFixed(9)) + 0);
  const text = fc.string({ unit: 'binary', maxLength: 200 }).map((typed) => typed.toWellFormed());
  const id = fc.integer({ min: 1, max: 999_999_999_999_999 });
  const place = fc.record({ lat: degrees(90), lng: degrees(180) });
  const side: fc.Arbitrary<CompareSide> = fc.oneof(
    id.map((stored) => ({ kind: 'stored' as const, id: stored })),
    fc.record({ kind: fc.constant('live' as const), place, connectionId: fc.constantFrom(null, 'team-2') }),
  );
  const states: Readonly<Record<Screen, fc.Arbitrary<object>>> = {
    events: fc.record({
      item: fc.constantFrom(null, 'evt_1'),
      q: text,
      range: fc.constantFrom(...eventRanges),
      from: fc.constantFrom(null, '2026-11-28T00:00Z'),
      to: fc.constantFrom(null, '2026-11-29T00:00Z'),
      state: fc.constantFrom(...shownStates),
      host: text,
      front: fc.constantFrom('', 'evt_0'),
      view: fc.constantFrom(...eventViews),
    }),
    forecast: fc
      .tuple(
        fc.oneof(place, fc.constant({ lat: null, lng: null })),
        fc.oneof(
          fc.record({ a: side, b: side, more: fc.array(side, { maxLength: 2 }) }),
          fc.constant({ a: null, b: null, more: [] }),
        ),
        fc.oneof(
          fc.record({
            at: fc
              .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
              .map((date) => date.toISOString()),
            pin: fc.boolean(),
          }),
          fc.constant({ at: null, pin: false }),
        ),
        fc.record({
          view: fc.constantFrom('place', 'saved'),
          table: fc.boolean(),
          tab: fc.constantFrom(null, 'point', 'json', 'headers', 'curl'),
          zone: fc.constantFrom(null, 'place', 'mine', 'utc'),
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as object),
    monitors: fc.record({
      item: fc.constantFrom(null, 'precipitation_2', 'a:b.c~d@e+f-1'),
      q: text,
      state: fc.constantFrom('any', 'ready', 'cool-down', 'failing', 'off'),
      sort: fc.record({
        by: fc.constantFrom('name', 'place', 'state', 'callback', 'last', 'next', 'created'),
        isDescending: fc.boolean(),
      }),
      map: fc.boolean(),
    }),
    callbacks: fc.record({
      item: fc.oneof(id, fc.constant(null)),
      q: text,
      range: fc.constantFrom(...timeRanges),
      time: fc.oneof(
        fc.constant(null),
        fc
          .record({ from: fc.nat(2 ** 40), longMs: fc.integer({ min: 1, max: 2 ** 31 }) })
          .map(({ from, longMs }) => ({ from, to: from + longMs })),
      ),
      verdict: fc.subarray([...verdictNames]),
      order: fc.constantFrom(...callbackOrders),
      tab: fc.constantFrom('body', 'raw'),
    }),
    access: fc.record({ item: fc.constantFrom(null, 'sign-in'), way: fc.constantFrom(null, 'password') }),
    traffic: fc.record({
      item: fc.oneof(id, fc.constant(null)),
      q: text,
      kind: fc.constantFrom('any', 'api', 'token'),
      connection: fc.constantFrom(null, 'sandbox'),
      failed: fc.boolean(),
      background: fc.boolean(),
      tab: fc.constantFrom('answer', 'curl'),
    }),
    sandbox: fc.record({ item: fc.constantFrom(null, 'clock') }),
    connections: fc.record({ item: fc.constantFrom(null, 'sandbox'), url: fc.constant(''), client: fc.constant('') }),
    settings: fc.record({ item: fc.constantFrom(null, 'receiver') }),
    handler: fc.constant({}),
    help: fc.record({
      item: fc.constantFrom('start', 'callbacks'),
      at: fc.constantFrom('', 'search-callbacks'),
      q: text,
    }),
  };

  it.each(screens.map(({ name }) => ({ screen: name })))(
    'of $screen is the same after its link was read',
    ({ screen }) => {
      const codec = codecs[screen] as LinkCodec<object>;
      fc.assert(
        fc.property(states[screen], (state) => {
          const address = parseHash(formatHash({ screen, ...codec.format(state) }), screens);
          expect(address && codec.parse(address)).toEqual({ value: state, problems: [] });
        }),
        { numRuns: 500 },
      );
    },
  );
});
