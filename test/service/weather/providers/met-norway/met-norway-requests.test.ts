// What is asked of MET Norway, and how long its answers hold (https://api.met.no/doc/TermsOfService).
import { describe, expect, it } from 'vitest';
import type { FetchedDocument } from '#service/weather/fetch/provider-http.ts';
import { createMetNorway } from '#service/weather/providers/met-norway/met-norway.ts';
import { metNorwayAddress } from '#service/weather/providers/met-norway/met-document.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { hourMs, instant, metDocument, now, symbol, time } from './met-documents.ts';

const minute = 60_000;
const cell = { lat: 59.9, lng: 10.7 };
const body = metDocument([{ time, data: { ...instant(), next_1_hours: symbol('fog') } }]);

function start(document: FetchedDocument, random = 0) {
  return createMetNorway({
    baseUrl: 'http://met.test',
    userAgent: 'Rainbell tester@example.org',
    clock: createManualClock(now),
    random: () => random,
    fetchDocument: async () => document,
  });
}

const answer = (lifetimeMs?: number): FetchedDocument => ({
  isNew: true,
  body,
  validators: { etag: '"new"' },
  lifetimeMs,
});

describe('a request to MET Norway', () => {
  it.each([
    ['http://met.test', '/weatherapi/nowcast/2.0/complete'],
    ['http://met.test//', '/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/mirror/', '/mirror/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/compact/mirror', '/compact/mirror/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/mirror/compact', '/mirror/compact'],
    ['http://met.test/mirror/complete', '/mirror/complete'],
    ['http://met.test/mirror/classic', '/mirror/classic'],
  ])('to %s goes to the product’s path, or a mirror’s own', (baseUrl, path) => {
    expect(metNorwayAddress(baseUrl, 'nowcast/2.0/complete', cell).pathname).toBe(path);
  });

  it('has at most four decimals', () => {
    const { searchParams } = metNorwayAddress('http://met.test', 'x', { lat: 59.123456, lng: -10.5 });
    expect([...searchParams]).toEqual([
      ['lat', '59.1235'],
      ['lon', '-10.5'],
    ]);
  });
});

describe('an answer of MET Norway', () => {
  it.each([
    ['half an hour if it does not say', undefined, 0, 30 * minute],
    ['as long as it says', hourMs, 0, hourMs],
    ['at least five minutes', minute, 0, 5 * minute],
    ['at most two hours', 3 * hourMs, 0, 2 * hourMs],
    ['up to three minutes longer', hourMs, 0.5, hourMs + 90_000],
    ['to the millisecond', hourMs, 1 / 180_000.1, hourMs + 1],
  ])('holds %s', async (_name, lifetimeMs, random, expected) => {
    const provider = start(answer(lifetimeMs), random);
    expect(await provider.fetch(cell)).toMatchObject({
      source: 'met-norway',
      fetchedAt: now,
      freshUntil: now + expected,
      steps: [{ status: 'foggy' }],
      validators: { etag: '"new"' },
    });
  });

  it('without news to an unconditional request is a failure', async () => {
    const provider = start({ isNew: false, lifetimeMs: undefined });
    await expect(provider.fetch(cell)).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'met-norway',
      message: expect.stringContaining('304'),
    });
  });
});
