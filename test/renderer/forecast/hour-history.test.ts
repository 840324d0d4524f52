// The history of one hour over the kept fetches.
import { describe, expect, it } from 'vitest';
import type { StoredFetch } from '#contract/app-rpc/forecast.ts';
import { hourHistory } from '#renderer/features/forecast/common/hour-history.ts';
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
    const { connections } = hourHistory([fetchOf(4, 2.1), fetchOf(3, 0.4), fetchOf(2, 0.4), fetchOf(1, 0)], at, units);
    expect(connections.map(({ facts }) => facts)).toEqual([
      [
        ['Status', 'cloudy → rainy'],
        ['Temperature', '7.0 °C'],
        ['Precipitation', '0.0 mm → 0.4 mm → 2.1 mm'],
      ],
    ]);
  });

  it('shows no change between values that read the same', () => {
    const { connections } = hourHistory([fetchOf(2, 0.42), fetchOf(1, 0.38)], at, units);
    expect(connections[0]?.facts.at(-1)).toEqual(['Precipitation', '0.4 mm']);
  });

  it('says whether the newest fetches of two connections agree', () => {
    const agree = hourHistory([fetchOf(3, 2.1, 'team'), fetchOf(2, 2.1), fetchOf(1, 0)], at, units);
    expect(agree).toMatchObject({ isSame: true, connections: [{ name: 'Sandbox' }, { name: 'Team' }] });
    expect(hourHistory([fetchOf(2, 2.1, 'team'), fetchOf(1, 0)], at, units).isSame).toBe(false);
  });

  it('leaves out fetches without the hour, and values that were not sent', () => {
    const { count, connections } = hourHistory([fetchOf(2, undefined), { ...fetchOf(1, 1), points: [] }], at, units);
    expect(count).toBe(1);
    expect(connections[0]?.facts.map(([label]) => label)).toEqual(['Status', 'Temperature']);
  });
});
