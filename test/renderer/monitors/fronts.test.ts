// Rain fronts on the screen of the monitors, in real Chromium: one line for 412 monitors, every failure one click away, acknowledged
// with a note, silenced by tag until a time.
import { expect, it } from 'vitest';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

const minuteMs = 60_000;
const count = 412;
const isFailed = (index: number) => index % 46 === 3;

/** Moves over Piedmont from west to east in 90 minutes, and ended ten minutes ago. */
function routesOf(now: number) {
  const sites = Array.from({ length: count }, (_, index) => ({
    id: `precipitation_${index + 1}`,
    lat: 44.4 + ((index * 7) % 20) / 12,
    lng: 7 + (index * 1.8) / count,
    at: formatTimestamp(now - 100 * minuteMs + (index * 90 * minuteMs) / (count - 1)),
  }));
  const monitors = sites.map(({ id, lat, lng }) => ({
    id,
    monitor_type: 'precipitation',
    callback_uri: `https://ops.example.net/${id}`,
    geo: { type: 'Point', coordinates: [lng, lat] },
  }));
  const states = sites.map(({ id, at }, index) => ({
    monitor_id: id,
    last_event_at: at,
    next_event_allowed_at: null,
    delivered: isFailed(index) ? 0 : 1,
    failed: isFailed(index) ? 1 : 0,
    failed_in_a_row: isFailed(index) ? 1 : 0,
    // One of the failed is off since.
    is_on: index !== 3,
    off_since: index === 3 ? at : null,
    off_reason: index === 3 ? 'its callback answered 410' : null,
    last_attempt: {
      started_at: at,
      attempt: 1,
      http_status: isFailed(index) ? 503 : 200,
      error: isFailed(index) ? 'status' : null,
    },
  }));
  return {
    'GET /v2/monitors/': () => ({ body: { objects: monitors, meta: {} } }),
    'GET /v2/delivery/': () => ({ body: { objects: states, meta: { now: formatTimestamp(Date.now()) } } }),
  };
}

it('a front is one line that leads to its monitors and failures, is acknowledged with a note, and silenced by tag', async () => {
  const { page, core } = await openScreens({ routes: routesOf(Date.now()) });
  for (const id of ['precipitation_4', 'precipitation_5'])
    await core.client.monitors.setNotes({ id, notes: { name: '', tags: ['alps'], note: '' } });
  await page.getByRole('button', { name: /^Monitors/ }).click();
  const fronts = page.getByRole('region', { name: 'Rain fronts' });
  const line = fronts.getByRole('button', {
    name: /^Rain front, Piedmont, \d\d:\d\d–.*\d\d:\d\d \S+: 412 monitors, 9 failed$/,
  });
  await line.waitFor();
  await expect.poll(() => fronts.getByRole('button', { name: /^Rain front/ }).count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);

  const grid = page.getByRole('grid', { name: 'Monitors' });
  await fronts.getByRole('button', { name: 'Show 9 failed' }).click();
  await page.getByText('9 of 412 monitors').waitFor();
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('10');
  await line.click();
  await page.getByText(/^412 monitors · updated/).waitFor();

  await fronts.getByRole('button', { name: 'Silence…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('With the tag alps').click();
  await dialog.getByLabel('Until').fill('2020-01-01T00:00');
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
  await dialog.getByText('Enter a time in the future.').waitFor();
  const tomorrow = await page.evaluate(() => {
    const at = new Date(Date.now() + 24 * 3_600_000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
  await dialog.getByLabel('Until').fill(tomorrow);
  await dialog.getByText(/^By this computer’s clock, /).waitFor();
  await dialog.getByLabel('Note').fill('Maintenance');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
  await fronts.getByText(/^No notifications for tag alps until .* by this computer’s clock · Maintenance$/).waitFor();
  const { silences } = await core.client.monitorFronts.list();
  expect(silences).toMatchObject([{ kind: 'tag', tag: 'alps', note: 'Maintenance' }]);
  expect(Date.parse(silences[0]?.until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);

  await fronts.getByRole('button', { name: 'Acknowledge…' }).click();
  await dialog.getByLabel('Note').fill('Customer informed');
  await page.keyboard.press('Enter');
  await fronts.getByText('Acknowledged: Customer informed').waitFor();
  // Failures stay.
  await fronts.getByRole('button', { name: 'Show 9 failed' }).waitFor();
  await fronts.getByRole('button', { name: 'End silence' }).click();
  await expect.poll(async () => (await core.client.monitorFronts.list()).silences).toEqual([]);
});
