// MET Norway as a provider: its symbols, and what its terms ask of us. Recorded responses: test/stories/recorded-weather.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { statusOfSymbol } from '#service/weather/providers/met-norway/met-document.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { nowhere, serveWeatherOf, startWeatherService } from '#test/service/weather/weather-harness.ts';

const fixtures = new URL('../../../../fixtures/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, fixtures), 'utf8');
const contact = 'weather@example.org';

const symbolTable = z
  .object({ symbols: z.array(z.object({ symbol: z.string(), variants: z.array(z.string()), status: z.string() })) })
  .parse(JSON.parse(read('tables/met-norway-symbol-codes.json')));

describe("MET Norway's symbols", () => {
  it('become the status of the table, whatever time of day their suffix says', () => {
    expect(symbolTable.symbols.length).toBeGreaterThan(40);
    for (const { symbol, variants, status } of symbolTable.symbols) {
      for (const name of [symbol, ...variants.map((variant) => `${symbol}_${variant}`)]) {
        expect([name, statusOfSymbol(name)]).toEqual([name, status]);
      }
    }
  });

  it('that have never been seen are unknown', () => {
    for (const name of ['', 'frogs', undefined]) expect(statusOfSymbol(name)).toBe('unknown');
  });
});

describe('a client of a service that asks MET Norway', () => {
  const oslo = 'met-norway/compact-clear-night-oslo.excerpt.json';
  const osloNow = Date.parse('2023-11-17T19:10:00Z');

  it('sends a contact and few decimals, and asks again only after Expires, whether anything is new', async () => {
    const lastModified = 'Fri, 17 Nov 2023 18:45:00 GMT';
    const asked: (string | undefined)[] = [];
    const metNorwayUrl = await serveWeatherOf((request, response) => {
      expect(request.headers['user-agent']).toContain(contact);
      if (!request.url?.startsWith('/weatherapi/locationforecast/2.0/compact?lat=59.9&lon=10.7')) {
        response.writeHead(404).end();
        return;
      }
      asked.push(request.headers['if-modified-since']);
      response.setHeader('date', 'Fri, 17 Nov 2023 19:10:00 GMT').setHeader('expires', 'Fri, 17 Nov 2023 19:40:00 GMT');
      response.setHeader('last-modified', lastModified);
      response.writeHead(request.headers['if-modified-since'] === lastModified ? 304 : 200);
      response.end(response.statusCode === 304 ? undefined : read(oslo));
    });
    const settings = { provider: 'met-norway', metNorwayUrl, metNorwayContact: contact } as const;
    const service = await startWeatherService({ ...settings, accessTokenSeconds: 86_400 }, createManualClock(osloNow));
    const before = await service.points(59.92, 10.73);
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 29 * 60 });
    await service.points(59.92, 10.73);
    expect(asked).toEqual([undefined]);
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 5 * 60 });
    const after = await service.points(59.92, 10.73);
    expect(asked).toEqual([undefined, lastModified]);
    expect(after.at(-1)?.weather).toEqual(before.at(-1)?.weather);
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 5 * 60 });
    await service.points(59.92, 10.73);
    expect(asked).toHaveLength(2);
  });

  it('never causes a request to MET Norway without a contact, and learns which setting is missing', async () => {
    let asked = 0;
    const metNorwayUrl = await serveWeatherOf((_request, response) => {
      asked += 1;
      response.end(read(oslo));
    });
    const service = await startWeatherService({ metNorwayUrl, openMeteoUrl: nowhere }, createManualClock(osloNow));
    expect((await service.points(59.92, 10.73))[0]?.sources).toEqual(['simulation']);
    await service.sandbox('POST', 'provider', { choice: 'met-norway' });
    const answer = await service.get('?location_lat=59.92&location_lng=10.73');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('RAINBELL_MET_NORWAY_CONTACT');
    expect(asked).toBe(0);
  });
});
