// A long list of monitors is built in steps, so that other requests come in between.
import { expect, it } from 'vitest';
import { createMonitorLists } from '#service/monitors/monitor-list.ts';
import type { MonitorRow } from '#service/monitors/monitor-json.ts';
import { countSteps } from '#test/service/count-steps.ts';

it('lists 1,200 monitors by their age in steps of 500', async () => {
  const rows = Array.from({ length: 1_200 }, (_, index) => ({
    id: `precipitation_${String(index).padStart(4, '0')}`,
    callback_uri: 'https://example.com/',
    latitude: '45',
    longitude: '7',
    monitor_type: 'precipitation',
    rules: null,
    created_at: 1_000 - Math.floor(index / 2),
  })) as MonitorRow[];
  const listOf = createMonitorLists({
    listVersion: async () => 1,
    listAfter: async (_application, id, limit) => rows.filter((row) => row.id > id).slice(0, limit),
  });
  const [{ json }, steps] = await countSteps(() => listOf('a'));
  const { objects } = JSON.parse(json.toString()) as { objects: { id: string }[] };
  expect(objects.map(({ id }) => id.slice(-4)).slice(0, 4)).toEqual(['1198', '1199', '1196', '1197']);
  expect(new Set(objects.map(({ id }) => id)).size).toBe(1_200);
  // Three to read, and three to write.
  expect(steps).toBe(6);
  expect((await countSteps(() => listOf('a')))[1]).toBe(0);
});
