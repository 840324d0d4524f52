// Responses that are larger, longer, or deeper than the interface allows: refused early, with the service named as the cause,
// and without holding up the app.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '#test/property-seed.ts';
import { jsonBounds, readJsonText } from '#core/http/read-json.ts';
import { startCore, testJsonReader } from '../core-harness.ts';
import { issueTokens, type Route, startFakeService } from '../fake-service.ts';

const place = { lat: 45.0703, lng: 7.6869 };
const point = {
  timestamp: '2026-11-21T06:10:00',
  weather: { status: 'sunny' },
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
  location: { country: 'Italy', locality: 'Torino' },
  icon: 'http://127.0.0.1:1/v2/icons/sunny',
  sun_altitude: 12.5,
  sources: ['one', 'two'],
};
const monitor = (index: number, path: string) => ({
  id: `precipitation_${index}`,
  monitor_type: 'precipitation',
  callback_uri: `https://ops.example.net/${path}`,
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
  uri: `/v2/monitors/precipitation_${index}/`,
});

async function coreWith(routes: Record<string, Route>) {
  const service = await startFakeService({ 'GET /v2/delivery/': () => ({ status: 404 }), ...routes });
  const harness = await startCore({ sandbox: service.introduction });
  const host = new URL(service.baseUrl).host;
  const exchanges = async (path: string) =>
    (await harness.client.traffic.list({})).items.filter(({ url }) => new URL(url).pathname === path);
  return { ...harness, service, host, exchanges };
}

async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await call.then(
    () => expect.fail('it was answered'),
    (reason: unknown) => reason,
  );
  return error as { code: string; message: string };
}

describe('a forecast', () => {
  test('of more than 4 MB is broken off, with its beginning in the traffic log', async () => {
    const text = `{"objects":[${`${JSON.stringify(point)},`.repeat(100_000)}`;
    const json = { 'content-type': 'application/json' };
    const { client, service, host } = await coreWith({ 'GET /v2/weather/': () => ({ headers: json, body: text }) });
    const failure = await failureOf(client.forecast.get(place));
    expect(failure).toMatchObject({
      code: 'PROTOCOL',
      message:
        `${host} returned more than 4 MB for a forecast, so Rainbell stopped reading. ` +
        'Check that the base URL points to the API, or ask the operator of the service.',
    });
    // Beyond the limit it was sent only what the buffers of both sockets hold.
    await expect.poll(() => service.requestsTo('GET /v2/weather/')[0]?.isBrokenOff).toBe(true);
    const { items } = await client.traffic.list({ kind: 'api' });
    expect(items[0]).toMatchObject({ status: 200, sizeBytes: 4 * 1024 * 1024 });
    const response = await client.traffic.get({ id: items[0]?.id ?? 0 });
    expect(response.responseBody.startsWith(text.slice(0, 1000))).toBe(true);
    expect(response).toMatchObject({ truncated: true, problem: { code: 'PROTOCOL', message: failure.message } });
    expect((await client.traffic.list({ failedOnly: true })).items.map(({ id }) => id)).toContain(items[0]?.id);
  });

  test('of 501 points is refused by their number', async () => {
    const { client, host } = await coreWith({
      'GET /v2/weather/': () => ({ body: { objects: Array.from({ length: 501 }, () => point), meta: {} } }),
    });
    const failure = await failureOf(client.forecast.get(place));
    expect(failure.code).toBe('PROTOCOL');
    expect(failure.message).toContain(`${host} returned 501 entries for a forecast; Rainbell reads at most 500.`);
  });

  test('nested 20,000 levels deep is the fault of the service', async () => {
    const body = `{"objects":[${'['.repeat(20_000)}${']'.repeat(20_000)}],"meta":{}}`;
    const { client, host } = await coreWith({
      'GET /v2/weather/': () => ({ headers: { 'content-type': 'application/json' }, body }),
    });
    const words = `${host} returned JSON nested 20,002 levels deep for a forecast; Rainbell reads at most 64.`;
    const message = expect.stringContaining(words);
    expect(await failureOf(client.forecast.get(place))).toMatchObject({ code: 'PROTOCOL', message });
  });

  test('that is a page is named as one; refused with a long page it keeps its status, and the page is cut', async () => {
    const { client, exchanges } = await coreWith({
      'GET /v2/weather/': () => ({ status: 503, body: `<html>${'x'.repeat(3_000_000)}` }),
      'GET /v2/monitors/': () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }),
    });
    const message = expect.stringContaining('a body that is not valid JSON (content type: text/html).');
    expect(await failureOf(client.monitors.list())).toMatchObject({ code: 'PROTOCOL', message });
    expect(await failureOf(client.forecast.get(place))).toMatchObject({ code: 'SERVER' });
    expect((await exchanges('/v2/weather/'))[0]).toMatchObject({ status: 503, sizeBytes: 64 * 1024 });
  });
});

test('the list of monitors of the largest plan is read, also with the longest callback URLs', async () => {
  const objects = Array.from({ length: 5000 }, (_, index) => monitor(index, 'x'.repeat(2000)));
  const { client } = await coreWith({ 'GET /v2/monitors/': () => ({ body: { objects, meta: {} } }) });
  const { monitors } = await client.monitors.list();
  expect(monitors).toHaveLength(5000);
  expect(monitors.at(-1)?.id).toBe('precipitation_4999');
});

test('a token response of more than 64 KB is refused, and names the service', async () => {
  const { client, host } = await coreWith({ 'POST /token/': issueTokens({ padding: 'x'.repeat(70_000) }) });
  const { code, message } = await failureOf(client.forecast.get(place));
  expect(code).toBe('PROTOCOL');
  expect(message).toContain(`${host} returned more than 64 KB for a token response`);
});

describe('a long body', () => {
  const long = Buffer.from(
    JSON.stringify({ objects: Array.from({ length: 9000 }, (_, index) => monitor(index, 'x')) }),
  );

  test('is read in a thread while the app goes on', async () => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    const reading = testJsonReader().read(long, jsonBounds(10_000));
    setImmediate(turn);
    const outcome = await reading;
    isOver = true;
    expect(outcome).toMatchObject({ ok: true });
    // Reading it here would not let the loop turn once.
    expect(turns).toBeGreaterThan(10);
  });

  test('of more values than any response has is refused before it is parsed', async () => {
    const values = Buffer.from(`{"objects":[${'[[],[],[],[],[]],'.repeat(180_000)}0]}`);
    expect(await testJsonReader().read(values, jsonBounds(1_000_000))).toMatchObject({ ok: false, reason: 'values' });
    // As many entries as a list of monitors has room for, which need more memory than the thread has.
    const entries = await testJsonReader().read(Buffer.from(`{"objects":[${'0,'.repeat(8e6)}0]}`), jsonBounds(20_000));
    expect(entries).toEqual({ ok: false, reason: 'items', seen: 8_000_001 });
  });
});

describe('reading JSON within bounds', () => {
  const wide = { depth: 64, values: 1e9, items: 1e9 };

  test('returns the value of JSON.parse, and the position of each entry', () => {
    const inputs = [fc.array(fc.json({ maxDepth: 3 })), fc.json(), fc.constantFrom(' ', '', '\n\t')] as const;
    fc.assert(
      fc.property(...inputs, (entries, other, blank) => {
        const list = entries.join(`${blank},${blank}`);
        const text = `{${blank}"other"${blank}:${blank}${other},"objects":[${blank}${list}${blank}]}`;
        const reading = readJsonText(text, wide);
        const ranges = reading.ok ? reading.itemRanges : [];
        expect(reading).toMatchObject({ ok: true, value: JSON.parse(text) });
        expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(entries.map((entry) => entry.trim()));
      }),
    );
  });

  test('measures the depth of the value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const isWithin = (depth: number) => readJsonText(text, { ...wide, depth }).ok;
        const depth = depthOf(JSON.parse(text));
        expect([isWithin(depth), isWithin(depth - 1)]).toEqual([true, false]);
      }),
    );
  });

  test('of any text agrees with JSON.parse whether it is JSON', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[[\]{}",:\\0-9a-z ]*$/));
    fc.assert(
      fc.property(text, (candidate) => {
        let isJson = true;
        try {
          JSON.parse(candidate);
        } catch {
          isJson = false;
        }
        expect(readJsonText(candidate, wide).ok).toBe(isJson);
      }),
    );
  });

  test.each([
    ['a byte order mark', '\uFEFF{"objects":[1, 2]}', [1, 2], ['1', '2']],
    ['repeated members, of which the last counts', '{"objects":[1,2,3],"objects":[ 4 , "]" ]}', [4, ']'], ['4', '"]"']],
  ])('reads %s, with positions', (_what, text, objects, entries) => {
    const reading = readJsonText(text, wide);
    expect(reading).toMatchObject({ ok: true, value: { objects } });
    expect((reading.ok ? reading.itemRanges : []).map(([from, to]) => text.slice(from, to))).toEqual(entries);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
