// The explanation of a silent monitor by table: from its row, its pending event, its cell, and the weather. With a whole service:
// monitor-explanation.test.ts.
import { expect, test } from 'vitest';
import { createMonitorExplainer } from '#service/monitors/sweep/explain-monitor.ts';
import type { Finding } from '#service/monitors/sweep/sweep.ts';
import type { ProviderPause } from '#service/weather/sources/weather-source.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openDeliveryRows } from '#test/service/monitors/delivery/delivery-rows.ts';
import { type EventChanges, insertEvent } from '#test/service/monitors/delivery/event-rows.ts';

const minuteMs = 60_000;

const start = Date.parse('2026-11-21T06:00:00Z');
const intervalMs = 5 * minuteMs;
const at = (minutes: number) => new Date(start + minutes * minuteMs).toISOString().slice(0, 19);
const ms = (minutes: number) => start + minutes * minuteMs;
type Attempt = { attempt: number; started_at: string; error: string | null; http_status: number | null };
type Situation = {
  monitor?: object;
  event?: EventChanges;
  attempt?: Attempt;
  dueAt?: number;
  finding?: Finding;
  pause?: ProviderPause;
};
const attempt = (minutes: number, error: string | null, http_status: number | null): Attempt => ({
  attempt: 3,
  started_at: at(minutes),
  error,
  http_status,
});
const wet = { isPrecipitating: true };
const unsure = 'no current weather now';
const episode = (phase: string, known: number) => {
  const times = { knownAt: ms(known), startedAt: ms(-30), lastWetAt: ms(-20), expected: { at: ms(9) } };
  return { rules: '{"payload":"event"}', episode: JSON.stringify({ phase, ...times }) };
};
const cases: [string, Situation, object][] = [
  [
    'an event that was not sent yet',
    { event: { attempts: 0 } },
    { cause: 'sending', since: at(-3), sentence: 'Sending the event from 05:57 UTC' },
  ],
  [
    'an event that is sent again',
    { event: { attempts: 4, is_resend: 1 }, attempt: attempt(-1, 'http 500', 500) },
    { cause: 'sending', since: at(-3) },
  ],
  [
    'an event of which no attempt is known',
    { event: { attempts: 1 } },
    { cause: 'retrying', since: at(-3), until: at(1) },
  ],
  [
    'an event whose retry is due',
    { event: { attempts: 1, due_at: ms(-2) } },
    { cause: 'retrying', since: at(-3), until: at(0) },
  ],
  [
    'an event whose hour was over before it could be retried',
    { event: { attempts: 1, occurred_at: ms(-60), due_at: ms(-58) }, attempt: attempt(-60, 'http 500', 500) },
    { cause: 'dry' },
  ],
  [
    'a callback URL that failed too often',
    { monitor: { off_since: ms(-30 * 60), off_reason: '24 events in a row failed' } },
    {
      cause: 'delivery_off',
      reason: '24 events in a row failed',
      sentence: 'Delivery off since 2026-11-20 00:00 UTC: 24 events in a row failed',
    },
  ],
  ['an event that was delivered', { event: { attempts: 1, state: 'delivered' } }, { cause: 'dry' }],
  ['a test event', { event: { attempts: 1, kind: 'test' } }, { cause: 'dry' }],
  [
    'a cool-down in its last millisecond',
    { monitor: { gate_opens_at: start + 1 } },
    { cause: 'cool_down', since: '2026-11-21T05:00:00.001', until: '2026-11-21T06:00:00.001' },
  ],
  ['a cool-down that is over', { monitor: { gate_opens_at: start } }, { cause: 'dry' }],
  // Late: two intervals and the minute of a lease after the check was due.
  ['a check that is late', { dueAt: ms(-11) - 1 }, { cause: 'checks_late', since: '2026-11-21T05:48:59.999' }],
  ['a check that is almost late', { dueAt: ms(-11) }, { cause: 'dry', next_check_at: at(0) }],
  ['a monitor without a cell', {}, { cause: 'dry', since: at(0), next_check_at: null }],
  [
    'an old monitor without a cell',
    { monitor: { created_at: ms(-12) } },
    { cause: 'checks_late', since: at(-12), next_check_at: null },
  ],
  [
    'rain before the next check',
    { dueAt: ms(3), finding: wet },
    { until: at(3), sentence: 'Precipitation at 06:00 UTC; event expected at the next check, by 06:03 UTC' },
  ],
  ['rain while a check is due', { dueAt: ms(-1), finding: wet }, { cause: 'event_due', until: at(0) }],
  [
    'a dry scenario',
    {
      dueAt: ms(4),
      finding: {
        isPrecipitating: false,
        seen: { source: 'scenario', mmPerHour: 0, grid: { lat: 45, lng: 7 }, dryScenarioUntil: ms(60) },
      },
      pause: { since: ms(-9), reason: 'http 503', restMs: 1 },
    },
    {
      until: at(60),
      sentence: 'Checked 06:00 UTC: dry until 07:00 UTC because of a sandbox scenario',
      weather: { source: 'scenario', mm_per_hour: 0, distance_km: 0 },
    },
  ],
  [
    'an episode with current weather',
    { monitor: episode('wet', -15) },
    { cause: 'wet', until: at(1410), sentence: 'Wet since 05:30 UTC; ends or starts anew by 2026-11-22 05:30 UTC' },
  ],
  [
    'an episode without current weather',
    { monitor: episode('wet', -16) },
    { until: at(1410), reason: unsure, sentence: expect.stringContaining('UTC: no current weather now; ends') },
  ],
  [
    'a dry gap without current weather',
    { monitor: episode('drying', -16) },
    {
      cause: 'drying',
      until: at(40),
      reason: unsure,
      sentence: expect.stringContaining('UTC: no current weather now; ends at'),
    },
  ],
  [
    'an expectation without current weather',
    { monitor: episode('expected', -16) },
    { until: at(9), reason: unsure, sentence: 'Precipitation expected around 06:09 UTC: no current weather now' },
  ],
  [
    'rain that starts in a few minutes, for a monitor of starts',
    { dueAt: ms(4), monitor: { rules: '{"payload":"event"}' }, finding: wet },
    {
      cause: 'below_conditions',
      sentence: 'Checked 06:00 UTC: precipitation near, but none now by this monitor’s conditions',
    },
  ],
  [
    'no weather without a reason',
    { dueAt: ms(4), finding: { isPrecipitating: null } },
    { cause: 'no_weather', since: at(0), reason: null },
  ],
];

test.each(cases)('the explanation of a silent monitor for %s', async (_name, situation, expected) => {
  const { db, addMonitor, monitorRow } = await openDeliveryRows();
  const place = { latitude: '45', longitude: '7', cell: 'cell' };
  const id = await addMonitor('app', 'precipitation_1', { ...place, created_at: start, ...situation.monitor });
  const row = await monitorRow(id);
  if (situation.event) {
    await insertEvent(db, 'event', ms(-3), {
      monitor_id: row.id,
      application_id: row.application_id,
      due_at: ms(1),
      ...situation.event,
    });
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
    newestOf: async () =>
      situation.attempt && {
        id: 'evt_1',
        monitor_id: row.id,
        type: 'precipitation',
        occurred_at: at(-40),
        state: situation.attempt.error === null ? 'delivered' : 'failed',
        callback_uri: row.callback_uri,
        host: 'hooks.example',
        episode_id: null,
        trigger: null,
        attempts: [{ kind: 'first', latency_ms: 5, request: null, answer: '', ...situation.attempt }],
        outcome: null,
      },
    verificationOf: async () => ({
      confirmed: 0,
      not_confirmed: 0,
      no_evidence: 0,
      missed: 0,
      median_lead_time_seconds: null,
    }),
    isAtSea: async () => false,
    precipitationAt: async () => situation.finding ?? { isPrecipitating: false },
    providerPause: () => situation.pause,
  });
  const explanation = await explain(row);
  const nothing = { until: null, reason: null, checked_at: null, weather: null };
  const checked = explanation.checked_at === null ? {} : { checked_at: at(0) };
  expect(explanation).toMatchObject({
    monitor_id: 'precipitation_1',
    now: at(0),
    ...nothing,
    ...checked,
    ...expected,
  });
});
