// The rules of the watch by table: policies, the box around a circle, the plan of checks, the explanation of a silent monitor, and
// the rows of watched cells.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { boxAround } from '#service/watch/area.ts';
import { createMonitorExplainer } from '#service/watch/explain-monitor.ts';
import { formatPolicy, policyNames, readPolicy, standardPolicy, withRadius } from '#service/watch/policy.ts';
import { createPrecipitationWatch, type LastCheck } from '#service/watch/precipitation-watch.ts';
import { decideSweep, latestPlausibleLook, type ProviderPause } from '#service/watch/sweep-decision.ts';
import { createWatchStore } from '#service/watch/watch-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startOAuthService, temporaryFolder } from '#test/oauth/oauth-service.ts';
import { registerApplication } from '#test/oauth/registered-application.ts';

const minuteMs = 60_000;

describe('a policy', () => {
  // docs/verification.md describes these values.
  const standard = {
    name: 'standard',
    version: 1,
    description: 'Precipitation within 10 km, now or in the next 15 minutes.',
    radiusKm: 10,
    aheadMinutes: 15,
    leastMmPerHour: 0.1,
    sources: ['observation', 'radar', 'forecast'],
    neighbors: true,
  };

  test('of each name is the documented one', () => {
    expect(standardPolicy).toEqual(standard);
    expect(policyNames).toEqual(['standard', 'forecast-only', 'early', 'sure']);
    expect(policyNames.map(readPolicy)).toEqual([
      standard,
      {
        ...standard,
        name: 'forecast-only',
        description: 'Only the forecast for the place itself.',
        sources: ['forecast'],
        neighbors: false,
      },
      {
        ...standard,
        name: 'early',
        description: 'Precipitation within 10 km, now or in the next 30 minutes.',
        aheadMinutes: 30,
      },
      {
        ...standard,
        name: 'sure',
        description: 'Precipitation within 10 km of at least 0.5 mm/h, now or in the next 15 minutes.',
        leastMmPerHour: 0.5,
      },
    ]);
  });

  const errorOf = (nameOrFile: string) => {
    try {
      return readPolicy(nameOrFile);
    } catch (error) {
      const { kind, message } = error as { kind: string; message: string };
      return `${kind} ${message}`;
    }
  };
  const refusal = (file: string, reason: string) =>
    `settings The policy "${file}" can't be used: ${reason}. ` +
    'Use standard, forecast-only, early, sure, or a JSON file as in docs/verification.md.';

  test('in a file is read, and each error names its field', async () => {
    const folder = await temporaryFolder();
    const write = async (content: unknown) => {
      const file = join(folder, 'policy.json');
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    };
    const own = { ...standard, name: 'own-1', version: 1_000_000, description: undefined };
    expect(readPolicy(await write(own))).toEqual(own);
    for (const edge of [
      { name: 'a'.repeat(40), description: 'x'.repeat(500) },
      { radiusKm: 100, aheadMinutes: 60, leastMmPerHour: 50 },
      { radiusKm: 0, aheadMinutes: 0, leastMmPerHour: 0, sources: ['radar'], version: 1 },
    ]) {
      expect(readPolicy(await write({ ...own, ...edge }))).toEqual({ ...own, ...edge });
    }
    const file = await write('');
    for (const [changes, reason] of [
      [{ name: 'Own' }, 'its name: must start with a letter and contain only a-z, 0-9, and - (at most 40 characters)'],
      [
        { name: 'a'.repeat(41) },
        'its name: must start with a letter and contain only a-z, 0-9, and - (at most 40 characters)',
      ],
      [{ version: 0 }, 'its version: Too small: expected number to be >=1'],
      [{ version: 1_000_001 }, 'its version: Too big: expected number to be <=1000000'],
      [{ radiusKm: 101 }, 'its radiusKm: Too big: expected number to be <=100'],
      [{ radiusKm: -1 }, 'its radiusKm: Too small: expected number to be >=0'],
      [{ aheadMinutes: 61 }, 'its aheadMinutes: Too big: expected number to be <=60'],
      [{ leastMmPerHour: 51 }, 'its leastMmPerHour: Too big: expected number to be <=50'],
      [{ sources: ['radar', 'radar'] }, 'its sources: must name each source once'],
      [{ sources: [] }, 'its sources: Too small: expected array to have >=1 items'],
      [{ sources: ['crowd'] }, 'its sources.0: Invalid option: expected one of "observation"|"radar"|"forecast"'],
      [{ more: 1 }, 'Unrecognized key: "more"'],
      [{ description: 'x'.repeat(501) }, 'its description: Too big: expected string to have <=500 characters'],
    ] as const) {
      await write({ ...own, ...changes });
      expect(errorOf(file)).toBe(refusal(file, reason));
    }
    const text = JSON.stringify(own);
    await write(text + ' '.repeat(16_384 - text.length));
    expect(readPolicy(file)).toEqual(own);
    await write(text + ' '.repeat(16_385 - text.length));
    expect(errorOf(file)).toBe(refusal(file, 'it is larger than 16384 bytes'));
    expect(errorOf('nowhere')).toBe(refusal('nowhere', 'it is neither a file nor a built-in policy'));
    await mkdir(join(folder, 'folder'));
    expect(errorOf(join(folder, 'folder'))).toMatch(/^settings The policy .* can't be used: EISDIR/);
    await write('{');
    expect(errorOf(file)).toMatch(/can't be used: .*JSON.* Use standard/);
  });

  test('gets another name with another radius', () => {
    expect(withRadius(standardPolicy, undefined)).toBe(standardPolicy);
    expect(withRadius(standardPolicy, 10)).toBe(standardPolicy);
    expect(withRadius(standardPolicy, 2.5)).toEqual({ ...standard, name: 'standard-2.5km', radiusKm: 2.5 });
    expect(formatPolicy({ name: 'early', version: 3 })).toBe('early/3');
  });
});

// A degree of latitude is 111.19 km on a sphere of 6371 km, and one of longitude as much times the cosine of the latitude.
test.each([
  ['on the equator', { lat: 0, lng: 10 }, 111.19, { south: -1, north: 1, spans: [[10 - 1.00015, 10 + 1.00015]] }],
  ['at 60°, twice as wide as at the equator', { lat: 59, lng: 0 }, 111.19, { south: 58, north: 60, spans: [[-2, 2]] }],
  ['in the south', { lat: -59, lng: 0 }, 111.19, { south: -60, north: -58, spans: [[-2, 2]] }],
  ['at the north pole', { lat: 90, lng: 5 }, 111.19, { south: 89, north: 90, spans: [[-180, 180]] }],
  ['at the south pole', { lat: -90, lng: 5 }, 111.19, { south: -90, north: -89, spans: [[-180, 180]] }],
  ['near a pole', { lat: 88, lng: 5 }, 111.19, { south: 87, north: 89, spans: [[5 - 57.3, 5 + 57.3]] }],
  [
    'across 180° from the east',
    { lat: 59, lng: 179 },
    111.19,
    {
      south: 58,
      north: 60,
      spans: [
        [177, 180],
        [-180, -179],
      ],
    },
  ],
  [
    'across 180° from the west',
    { lat: 59, lng: -179 },
    111.19,
    {
      south: 58,
      north: 60,
      spans: [
        [-180, -177],
        [179, 180],
      ],
    },
  ],
  ['of half the globe', { lat: 0, lng: 0 }, 20_015, { south: -90, north: 90, spans: [[-180, 180]] }],
])('the box around a circle %s', (_name, center, radiusKm, expected) => {
  const box = boxAround({ center, radiusKm });
  const rounded = (value: number) => Math.round(value * 100) / 100 + 0;
  expect({
    south: rounded(box.south),
    north: rounded(box.north),
    spans: box.spans.map((span) => span.map(rounded)),
  }).toEqual({ ...expected, spans: expected.spans.map((span) => span.map(rounded)) });
});

test('a box that touches 180° has both sides of the line', () => {
  const touching = (lng: number) => boxAround({ center: { lat: 0, lng }, radiusKm: 0 }).spans;
  expect(touching(180)).toEqual([
    [180, 180],
    [-180, -180],
  ]);
  expect(touching(-180)).toEqual([
    [-180, -180],
    [180, 180],
  ]);
});

test('the next checks are the interval later, later if the provider says so, and never after 15 minutes', () => {
  const look = (cell: string, isPrecipitating: boolean | null, nextUpdateAt?: number) => ({
    cell,
    isPrecipitating,
    nextUpdateAt,
  });
  const now = 1_000_500;
  expect(
    decideSweep(
      [
        look('dry', false),
        look('wet', true, now + 400_000),
        look('none', null, now + 400_000),
        look('past', false, 5),
        look('far', true, now + 900_001),
        look('at the limit', false, now + 900_000),
      ],
      now,
      300_000,
    ),
  ).toEqual({
    rainingCells: ['wet', 'far'],
    nextLooks: [
      { cell: 'dry', at: 1_300_000 },
      { cell: 'wet', at: now + 400_000 },
      { cell: 'none', at: 1_300_000 },
      { cell: 'past', at: 1_300_000 },
      { cell: 'far', at: now + 900_000 },
      { cell: 'at the limit', at: now + 900_000 },
    ],
  });
  // An interval above 15 minutes is the limit itself.
  expect(decideSweep([look('a', false, now * 9)], now, 1_200_000).nextLooks).toEqual([
    { cell: 'a', at: now + 1_200_000 },
  ]);
  expect(latestPlausibleLook(now, 300_000)).toBe(now + 900_000 + jumpMs);
  expect(latestPlausibleLook(now, 1_200_000)).toBe(now + 1_200_000 + jumpMs);
});

async function startMonitor() {
  const service = await startOAuthService();
  const { id: application_id } = await registerApplication(service);
  const monitor = {
    id: 'precipitation_1',
    application_id,
    monitor_type: 'precipitation',
    callback_uri: 'http://a.example/',
    callback_credentials: null,
    latitude: '45',
    longitude: '7',
    cell: 'cell',
    created_at: 0,
    gate_opens_at: 0,
    latest_event_at: 0,
    off_since: null as number | null,
    off_reason: null as string | null,
    failed_events: 0,
    delivered_count: 0,
    failed_count: 0,
    recent_events: '',
    reported_state: 'working' as const,
  };
  return { ...service, monitor };
}

describe('the explanation of a silent monitor', () => {
  const start = Date.parse('2026-11-21T06:00:00Z');
  const intervalMs = 5 * minuteMs;
  const at = (minutes: number) => new Date(start + minutes * minuteMs).toISOString().slice(0, 19);
  const ms = (minutes: number) => start + minutes * minuteMs;
  type Attempt = { attempt: number; started_at: string; error: string | null; http_status: number | null };
  type Situation = {
    monitor?: object;
    event?: { attempts: number; is_resend?: number; state?: string; kind?: string };
    attempt?: Attempt;
    dueAt?: number;
    check?: Partial<LastCheck>;
    pause?: ProviderPause;
  };
  const attempt = (minutes: number, error: string | null, http_status: number | null): Attempt => ({
    attempt: 3,
    started_at: at(minutes),
    error,
    http_status,
  });
  const dry = { cell: 'cell', isPrecipitating: false, at: ms(-1), nextAt: ms(4) };
  const off = (off_reason: string) => ({ off_since: ms(-2), off_reason });
  const cases: [string, Situation, object][] = [
    [
      'a callback URL that is gone',
      { monitor: off('the callback URL returned 410 Gone') },
      { cause: 'callback_gone', since: at(-2), reason: 'the callback URL returned 410 Gone' },
    ],
    [
      'a callback URL that is gone, with the reason that earlier versions stored',
      { monitor: off('the callback URL returned 410 Gone') },
      { cause: 'callback_gone', since: at(-2), reason: 'the callback URL returned 410 Gone' },
    ],
    [
      'a callback URL that failed too often',
      { monitor: off('410') },
      { cause: 'delivery_off', since: at(-2), reason: '410' },
    ],
    [
      'an event that was not sent yet',
      { event: { attempts: 0 } },
      { cause: 'sending', since: at(-3), event: { occurred_at: at(-3), attempts: 0, http_status: null } },
    ],
    [
      'an event that is sent again',
      { event: { attempts: 4, is_resend: 1 }, attempt: attempt(-1, 'http 500', 500) },
      { cause: 'sending', since: at(-3), event: { occurred_at: at(-3), attempts: 4, http_status: null } },
    ],
    [
      'an event that is retried',
      { event: { attempts: 1 }, attempt: attempt(-1, 'http 500', 500) },
      {
        cause: 'retrying',
        since: at(-3),
        until: at(1),
        reason: 'http 500',
        event: { occurred_at: at(-3), attempts: 1, http_status: 500 },
      },
    ],
    [
      'an event of which no attempt is known',
      { event: { attempts: 1 } },
      {
        cause: 'retrying',
        since: at(-3),
        until: at(1),
        event: { occurred_at: at(-3), attempts: 1, http_status: null },
      },
    ],
    ['an event that was delivered', { event: { attempts: 1, state: 'delivered' } }, { cause: 'not_checked_yet' }],
    ['a test event', { event: { attempts: 1, kind: 'test' } }, { cause: 'not_checked_yet' }],
    [
      'a cool-down after a delivered event',
      { monitor: { gate_opens_at: ms(20) }, attempt: attempt(-40, null, 204) },
      {
        cause: 'cool_down',
        since: at(-40),
        until: at(20),
        event: { occurred_at: at(-40), attempts: 3, http_status: 204 },
      },
    ],
    [
      'a cool-down after a failed event',
      { monitor: { gate_opens_at: ms(20) }, attempt: attempt(-39, 'http 400', 400) },
      {
        cause: 'last_event_failed',
        since: at(-40),
        until: at(20),
        reason: 'http 400',
        event: { occurred_at: at(-40), attempts: 3, http_status: 400 },
      },
    ],
    [
      'a cool-down with only an attempt of an earlier event',
      { monitor: { gate_opens_at: ms(20) }, attempt: attempt(-41, 'http 400', 400) },
      {
        cause: 'cool_down',
        since: at(-40),
        until: at(20),
        event: { occurred_at: at(-40), attempts: 0, http_status: null },
      },
    ],
    [
      'a cool-down without attempts',
      { monitor: { gate_opens_at: start + 1 } },
      { cause: 'cool_down', until: '2026-11-21T06:00:00.001', event: { attempts: 0, http_status: null } },
    ],
    ['a cool-down that is over', { monitor: { gate_opens_at: start } }, { cause: 'not_checked_yet' }],
    // Late: two intervals and the minute of a lease after the check was due.
    ['a check that is late', { dueAt: ms(-11) - 1 }, { cause: 'checks_late', since: '2026-11-21T05:48:59.999' }],
    ['a check that is almost late', { dueAt: ms(-11) }, { cause: 'not_checked_yet', since: at(-11) }],
    [
      'a late check after an earlier one',
      { dueAt: ms(-12), check: { ...dry, at: ms(-17) } },
      { cause: 'checks_late', since: at(-17), checked_at: at(-17), next_check_at: at(0) },
    ],
    ['a monitor without a cell', {}, { cause: 'not_checked_yet', since: at(0), next_check_at: null }],
    [
      'an old monitor without a cell',
      { monitor: { created_at: ms(-12) } },
      { cause: 'checks_late', since: at(-12), next_check_at: null },
    ],
    [
      'a check by another process',
      { dueAt: ms(3) },
      { cause: 'checked_elsewhere', since: at(0), until: at(3), next_check_at: at(3) },
    ],
    [
      'a newer check by another process',
      { dueAt: ms(5), check: dry },
      { cause: 'checked_elsewhere', since: at(0), until: at(5), checked_at: null },
    ],
    [
      'a dry check',
      { dueAt: ms(4), check: dry },
      { cause: 'dry', since: at(-1), checked_at: at(-1), next_check_at: at(4) },
    ],
    [
      'a dry check that is due again',
      { dueAt: ms(-1), check: { ...dry, nextAt: ms(-2) } },
      { cause: 'dry', next_check_at: at(0) },
    ],
    [
      'a wet check',
      { dueAt: ms(4), check: { ...dry, isPrecipitating: true } },
      { cause: 'event_due', since: at(-1), until: at(4) },
    ],
    [
      'a wet check that is due again',
      { dueAt: ms(-1), check: { ...dry, isPrecipitating: true, nextAt: ms(-1) } },
      { cause: 'event_due', until: at(0) },
    ],
    ['a wet check without a cell', { check: { ...dry, isPrecipitating: true } }, { cause: 'event_due', until: at(4) }],
    [
      'a dry scenario',
      {
        dueAt: ms(4),
        check: {
          ...dry,
          seen: { source: 'scenario', mmPerHour: 0, grid: { lat: 45, lng: 7 }, dryScenarioUntil: ms(60) },
        },
        pause: { since: ms(-9), reason: 'http 503', restMs: 1 },
      },
      {
        cause: 'dry_scenario',
        since: at(-1),
        until: at(60),
        weather: { source: 'scenario', mm_per_hour: 0, distance_km: 0 },
      },
    ],
    [
      'a paused provider',
      {
        dueAt: ms(4),
        check: { ...dry, isPrecipitating: null },
        pause: { since: ms(-9), reason: 'http 503', restMs: 2 * minuteMs },
      },
      { cause: 'provider_paused', since: at(-9), until: at(2), reason: 'http 503' },
    ],
    [
      'no weather',
      { dueAt: ms(4), check: { ...dry, isPrecipitating: null, reason: 'http 500' } },
      { cause: 'no_weather', since: at(-1), reason: 'http 500' },
    ],
    [
      'no weather without a reason',
      { dueAt: ms(4), check: { ...dry, isPrecipitating: null } },
      { cause: 'no_weather', since: at(-1), reason: null },
    ],
    [
      'weather 0.1° north of the monitor, 11.1 km',
      {
        dueAt: ms(4),
        check: {
          ...dry,
          seen: { source: 'open-meteo', mmPerHour: null, grid: { lat: 45.1, lng: 7 }, dryScenarioUntil: undefined },
        },
      },
      { cause: 'dry', weather: { source: 'open-meteo', mm_per_hour: null, distance_km: 11.1 } },
    ],
  ];

  test.each(cases)('for %s', async (_name, situation, expected) => {
    const { db, monitor } = await startMonitor();
    const row = { ...monitor, created_at: start, ...situation.monitor };
    await db.insertInto('monitors').values(row).execute();
    if (situation.event) {
      await db
        .insertInto('events')
        .values({
          id: 'event',
          monitor_id: row.id,
          application_id: row.application_id,
          callback_uri: row.callback_uri,
          host: 'http://a.example',
          body: '',
          state: 'waiting',
          kind: 'precipitation',
          occurred_at: ms(-3),
          next_attempt_at: ms(1),
          is_resend: 0,
          held_until: 0,
          ...situation.event,
        } as never)
        .execute();
    }
    const cells = { cell: 'cell', latitude: 45, longitude: 7, monitor_count: 1, held_until: 0 };
    if (situation.dueAt !== undefined) {
      await db
        .insertInto('watch_cells')
        .values({ ...cells, next_look_at: situation.dueAt })
        .execute();
    }
    const explain = createMonitorExplainer({
      db,
      clock: createManualClock(start),
      intervalMs,
      stateOf: async () => ({ last_attempt: situation.attempt ?? null }) as never,
      lastCheck: (cell) => (cell === 'cell' ? (situation.check as LastCheck | undefined) : undefined),
      providerPause: () => situation.pause,
    });
    const explanation = await explain(row);
    const nothing = { until: null, reason: null, checked_at: null, weather: null, event: null };
    const checked = explanation.checked_at === null ? {} : { checked_at: at(-1) };
    expect(explanation).toMatchObject({
      monitor_id: 'precipitation_1',
      now: at(0),
      ...nothing,
      ...checked,
      ...expected,
    });
  });
});

describe('watched cells in the database', () => {
  async function startCells() {
    const { db } = await startOAuthService();
    const store = createWatchStore({ db, engine: 'sqlite' });
    const add = (cell: string, next_look_at: number, place = { latitude: 45, longitude: 7 }, held_until = 0) =>
      db
        .insertInto('watch_cells')
        .values({ cell, ...place, monitor_count: 1, next_look_at, held_until })
        .execute();
    const rows = async () =>
      (await db.selectFrom('watch_cells').selectAll().orderBy('cell').execute()).map(
        ({ cell, next_look_at, held_until }) => [cell, next_look_at, held_until > 0],
      );
    return { db, store, add, rows };
  }

  test('are leased once, the longest due first, and planned again', async () => {
    const { store, add, rows, db } = await startCells();
    for (const [cell, due] of [
      ['a', 3],
      ['b', 1],
      ['c', 4],
      ['d', 2],
    ] as const) {
      await add(cell, due);
    }
    const taken = await store.take(3, 2);
    expect(new Set(taken.map(({ cell }) => cell))).toEqual(new Set(['b', 'd']));
    expect(taken[0]).toEqual({ cell: expect.any(String), latitude: 45, longitude: 7 });
    expect(await store.take(3, 9)).toEqual([{ cell: 'a', latitude: 45, longitude: 7 }]);
    expect(await store.take(3, 9)).toEqual([]);
    await store.plan([
      { cell: 'a', at: 7 },
      { cell: 'b', at: 7 },
      { cell: 'd', at: 8 },
    ]);
    expect(await rows()).toEqual([
      ['a', 7, false],
      ['b', 7, false],
      ['c', 4, false],
      ['d', 8, false],
    ]);
    await store.distrust(5, 7);
    expect(await rows()).toEqual([
      ['a', 7, false],
      ['b', 7, false],
      ['c', 4, false],
      ['d', 5, false],
    ]);
    // A lease that can only be from before a reboot is ignored.
    await db.updateTable('watch_cells').set({ held_until: Number.MAX_SAFE_INTEGER }).where('cell', '=', 'c').execute();
    expect((await store.take(4, 9)).map(({ cell }) => cell)).toEqual(['c']);
  });

  test('are due again in an area, or everywhere', async () => {
    const { store, add, rows } = await startCells();
    await add('near', 9, { latitude: 45.05, longitude: 7 }, 5);
    await add('north', 9, { latitude: 45.2, longitude: 7 }, 5);
    await add('east', 9, { latitude: 45, longitude: 7.2 }, 5);
    await store.markDue(2, { center: { lat: 45, lng: 7 }, radiusKm: 10 });
    expect(await rows()).toEqual([
      ['east', 9, true],
      ['near', 2, false],
      ['north', 9, true],
    ]);
    await store.markDue(3, undefined);
    expect(await rows()).toEqual([
      ['east', 3, false],
      ['near', 3, false],
      ['north', 3, false],
    ]);
  });
});

describe('a sweep', () => {
  async function startWatch(changes: Partial<Parameters<typeof createPrecipitationWatch>[0]> = {}) {
    const { db } = await startOAuthService();
    const clock = createManualClock(1_000_000_500);
    const calls: unknown[] = [];
    const lines: { level: number; msg: string }[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
    const store = createWatchStore({ db, engine: 'sqlite' });
    const watch = createPrecipitationWatch({
      clock,
      log,
      store,
      intervalMs: 300_000,
      precipitationAt: async ({ lat }) => {
        if (lat === 3) throw new Error('http 500');
        const observed = lat === 2 ? [{ kind: 'metar' } as never] : [];
        return { isPrecipitating: lat === 1, observed, trigger: lat === 1 ? { source: 'radar', at: 5 } : undefined };
      },
      claim: async (cells, now, triggers) => {
        calls.push(['claim', cells, now, [...triggers]]);
        return cells.length;
      },
      observe: async (sightings, now) => void calls.push(['observe', sightings.map(({ cell }) => cell), now]),
      prepare: async (places) => void calls.push(['prepare', places]),
      ...changes,
    });
    for (const latitude of [1, 2, 3]) {
      await db
        .insertInto('watch_cells')
        .values({ cell: `cell ${latitude}`, latitude, longitude: 7, monitor_count: 1, next_look_at: 0, held_until: 0 })
        .execute();
    }
    const planned = async () =>
      (await db.selectFrom('watch_cells').select(['next_look_at', 'held_until']).orderBy('cell').execute()).map(
        ({ next_look_at, held_until }) => [next_look_at, held_until],
      );
    return { watch, clock, calls, lines, planned };
  }

  test('claims, reports, logs, and plans what it saw', async () => {
    const { watch, clock, calls, lines, planned } = await startWatch();
    const now = clock.now();
    expect(watch.lastCheck('cell 1')).toBeUndefined();
    await watch.sweepNow();
    expect(calls).toEqual([
      ['prepare', [1, 2, 3].map((lat) => ({ lat, lng: 7 }))],
      ['claim', ['cell 1'], now, [['cell 1', { source: 'radar', at: 5 }]]],
      ['observe', ['cell 2'], now],
    ]);
    expect(await planned()).toEqual(Array(3).fill([1_000_300_000, 0]));
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'no weather for a cell'],
      [30, 'precipitation near monitors'],
    ]);
    expect(lines[0]).toMatchObject({ cell: 'cell 3', reason: 'http 500' });
    expect(lines[1]).toMatchObject({ raining: 1, events: 1 });
    const check = { at: now, nextAt: 1_000_300_000 };
    expect(watch.lastCheck('cell 1')).toMatchObject({ ...check, cell: 'cell 1', isPrecipitating: true });
    expect(watch.lastCheck('cell 3')).toMatchObject({ ...check, isPrecipitating: null, reason: 'http 500' });

    // The next sweep is an interval later, or after a clock jump, and none after the end.
    calls.length = 0;
    clock.advance(299_499);
    await watch.sweepNow({ center: { lat: -45, lng: 7 }, radiusKm: 1 });
    expect(calls).toEqual([]);
    clock.advance(300_000);
    await expect.poll(() => calls.length).toBe(3);
    clock.jump(3_600_000);
    await expect.poll(() => calls.length).toBe(6);
    await watch.close();
    clock.advance(900_000);
    clock.jump(3_600_000);
    watch.wake();
    await watch.sweepNow();
    expect(calls).toHaveLength(6);
  });

  test('goes on if the batch or the evidence fails, and after a failure itself', async () => {
    const fail = () => Promise.reject(new Error('no'));
    let isFailing = true;
    const { watch, clock, lines, planned, calls } = await startWatch({
      prepare: fail,
      observe: fail,
      claim: async () => (isFailing ? fail() : 0),
    });
    await watch.sweepNow();
    const messages = () =>
      lines.filter(({ msg }) => msg !== 'no weather for a cell').map(({ level, msg }) => [level, msg]);
    const batch = [40, 'batch weather request failed; requesting each cell separately'];
    expect(messages()).toEqual([batch, [50, 'a sweep failed; trying again with the next one']]);
    isFailing = false;
    lines.length = 0;
    await watch.sweepNow();
    expect(messages()).toEqual([batch, [40, 'evidence was not recorded']]);
    expect(await planned()).toEqual(Array(3).fill([1_000_300_000, 0]));
    expect(calls).toEqual([]);
    expect(clock.now()).toBe(1_000_000_500);
    await watch.close();
  });

  test('reports nothing to the evidence if nothing was observed', async () => {
    const { watch, calls } = await startWatch({
      precipitationAt: async () => ({ isPrecipitating: false }),
      prepare: undefined,
    });
    await watch.sweepNow();
    expect(calls).toEqual([['claim', [], 1_000_000_500, []]]);
    await watch.close();
  });
});
