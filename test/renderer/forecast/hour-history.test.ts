// The history of one hour over the kept fetches, and how fast it opens.
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredSeries } from '#contract/app-rpc/forecast.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createForecastHistory } from '#core/forecast/forecast-history.ts';
import { formatChanges, hourHistory } from '#renderer/features/forecast/common/hour-history.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { forecastOf } from './forecast-points.ts';
import { weatherBody } from '../weather-bodies.ts';

const units = createUnitFormat(unitPresets.Metric, 'en-GB');
const at = Date.parse('2026-11-22T09:00:00Z');

function fetchOf(id: number, rainfall: number | undefined, connection = 'sandbox'): StoredSeries {
  const measured = { temperature: 280.15, ...(rainfall === undefined ? {} : { rainfall }) };
  return {
    id,
    connectionId: connection,
    connectionName: connection === 'sandbox' ? 'Sandbox' : 'Team',
    fetchedAt: new Date(at - 10_000_000 + id * 60_000).toISOString(),
    points: [{ at: new Date(at).toISOString(), status: (rainfall ?? 0) > 0 ? 'rainy' : 'cloudy', measured }],
  };
}

describe('the history of an hour', () => {
  it('lists each value once while it stays the same, oldest first', () => {
    const { entries, agreement } = hourHistory(
      [fetchOf(4, 2.1), fetchOf(3, 0.4), fetchOf(2, 0.4), fetchOf(1, 0)],
      at,
      units,
    );
    expect(formatChanges(entries.map(({ precipitation }) => precipitation))).toBe('0.0 mm → 0.4 mm → 2.1 mm');
    expect(formatChanges(entries.map(({ status }) => status))).toBe('cloudy → rainy');
    expect(formatChanges(entries.map(({ temperature }) => temperature))).toBe('7.0');
    expect(agreement).toBeNull();
  });

  it('shows no change between values that read the same', () => {
    const { entries } = hourHistory([fetchOf(2, 0.42), fetchOf(1, 0.38)], at, units);
    expect(formatChanges(entries.map(({ precipitation }) => precipitation))).toBe('0.4 mm');
  });

  it('says whether the newest fetches of two connections agree', () => {
    const agree = hourHistory([fetchOf(3, 2.1, 'team'), fetchOf(2, 2.1), fetchOf(1, 0)], at, units);
    expect(agree.agreement).toMatchObject({ isSame: true, newest: [{ fetchId: 2 }, { fetchId: 3 }] });
    const differ = hourHistory([fetchOf(2, 2.1, 'team'), fetchOf(1, 0)], at, units);
    expect(differ.agreement?.isSame).toBe(false);
  });

  it('leaves out fetches without the hour, and values that were not sent', () => {
    const { entries } = hourHistory([fetchOf(2, undefined), { ...fetchOf(1, 1), points: [] }], at, units);
    expect(entries).toHaveLength(1);
    expect(formatChanges(entries.map(({ precipitation }) => precipitation))).toBeNull();
  });
});

describe('30 kept fetches of 72 hours', () => {
  const start = Date.UTC(2026, 10, 21, 6);

  function keptHistory() {
    const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: createManualClock() });
    onTestFinished(() => database.close());
    const history = createForecastHistory({ db: database.db, log: pino({ level: 'silent' }) });
    for (let turn = 0; turn < 30; turn += 1) {
      const bodyText = JSON.stringify(weatherBody({ now: start + turn * 3_600_000, count: 73 }));
      const forecast = forecastOf([]);
      const fetchedAt = new Date(start + turn * 3_600_000).toISOString();
      history.save('sandbox', { ...forecast, fetchedAt, response: { ...forecast.response, bodyText } });
    }
    return { history, database };
  }

  it('open with every hour', () => {
    const series = keptHistory().history.seriesOf({ lat: 45, lng: 7 });
    expect(series.map(({ points }) => points.length)).toEqual(Array(30).fill(73));
    expect(hourHistory(series, Date.parse(series[0]?.points[5]?.at ?? ''), units).entries).toHaveLength(30);
  });

  it('have no hours if one cannot be read, and the others stay', () => {
    const { history, database } = keptHistory();
    database.db.prepare('UPDATE forecast_fetches SET fetch = ? WHERE id = 30').run(Buffer.from('no'));
    const series = history.seriesOf({ lat: 45, lng: 7 });
    expect(series[0]?.points).toEqual([]);
    expect(series[1]?.points).toHaveLength(73);
  });
});
