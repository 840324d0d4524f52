// The history of one hour over the kept fetches.
import { describe, expect, it } from 'vitest';
import type { StoredFetch } from '#contract/app-rpc/forecast.ts';
import { formatChanges, hourHistory } from '#renderer/features/forecast/common/hour-history.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';

const units = createUnitFormat(unitPresets.Metric, 'en-GB');
const at = Date.parse('2026-11-22T09:00:00Z');

function fetchOf(id: number, rainfall: number | undefined, connection = 'sandbox'): StoredFetch {
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
