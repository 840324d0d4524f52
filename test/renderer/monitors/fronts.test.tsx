// Rain fronts on the screen of the monitors: one line for 412 monitors, every failure one click away, silenced by tag
// for a time. Without a mouse, and acknowledged with a note: keyboard-tools.test.ts.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Front, Silence } from '#contract/app-rpc/monitor-fronts.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { expectAccessible } from '../axe.ts';
import { expectShown } from '../open-app.ts';
import { reportOf } from './monitor-samples.ts';
import { openMonitors, some } from './stored-monitors.ts';

const minuteMs = 60_000;
const count = 412;
const isFailed = (index: number) => index % 46 === 3;

it('a front is one line that leads to its monitors and failures, and is silenced by tag', async () => {
  const now = Date.now();
  const at = (index: number) => new Date(now - 100 * minuteMs + (index * 90 * minuteMs) / (count - 1)).toISOString();
  const monitors = some(count).map((monitor, index) =>
    index === 3 || index === 4 ? { ...monitor, tags: ['alps'] } : monitor,
  );
  const ids = monitors.map(({ id }) => id);
  let front: Front = {
    id: 'front-1',
    from: at(0),
    until: at(count - 1),
    region: 'Piedmont',
    monitors: count,
    failed: 9,
    monitor_ids: ids,
    hosts: [{ host: 'hooks.example', failed: 9 }],
    acknowledged: null,
    isSilenced: false,
  };
  let silences: readonly Silence[] = [];
  const asked: (string | undefined)[] = [];
  const { stub } = openMonitors(monitors, {
    deliveryStates: () =>
      reportOf(
        ids.map((id, index) => deliveryOf(id, { last_event_at: at(index), failed_in_a_row: isFailed(index) ? 1 : 0 })),
      ),
  });
  stub({
    monitorFronts: {
      list({ from }) {
        asked.push(from);
        return { isAvailable: true, fronts: [front], missingBefore: null, silences: [...silences] };
      },
      silence(silence) {
        silences = [{ id: 's', by: 'anna', at: new Date().toISOString(), ...silence }];
        return {};
      },
    },
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const fronts = page.getByRole('region', { name: 'Rain fronts' });
  const line = fronts.getByRole('button', {
    name: /^Rain front, Piedmont, \d\d:\d\d–.*\d\d:\d\d \S+: 412 monitors, 9 failed$/,
  });
  await expectShown(line);
  expect(fronts.getByRole('button', { name: /^Rain front/ }).length).toBe(1);
  await expectAccessible('a rain front');

  await fronts.getByRole('button', { name: 'Silence…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('With the tag alps').click();
  await dialog.getByLabelText('For').selectOptions('1 day');
  await dialog.getByLabelText('Note').fill('Maintenance');
  await expectAccessible('silencing a front');
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
  await expectShown(
    fronts.getByText(
      /^No notifications for tag alps until .* by this computer’s clock · Silenced by anna, .*: Maintenance$/,
    ),
  );
  expect(silences).toMatchObject([{ monitors: { kind: 'tag', tag: 'alps' }, note: 'Maintenance' }]);
  expect(Date.parse(silences[0]?.until ?? '') - now).toBeGreaterThan(23 * 60 * minuteMs);

  // An open screen shows within ten seconds that a front grows and is acknowledged elsewhere. Failures stay.
  front = { ...front, monitors: 413, acknowledged: { by: 'anna', at: at(0), note: 'Customer informed' } };
  await expect.poll(() => fronts.getByText(/413 monitors, 9 failed$/).query(), { timeout: 10_000 }).not.toBeNull();
  await expectShown(fronts.getByText(/^hooks\.example: 9 failed · Acknowledged by anna, .*: Customer informed$/));
  // Yesterday.
  await fronts.getByLabelText('Time of the rain fronts').selectOptions(fronts.getByRole('option').nth(2));
  await expect.poll(() => Date.parse(asked.at(-1) ?? '')).toBeLessThan(Date.now());
  const day = asked.splice(0).at(-1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => asked).toEqual([day]);
  await fronts.getByRole('button', { name: 'Show 9 failed' }).click();
  await expect.poll(() => location.hash).toBe('#/events?range=month&state=undelivered&front=front-1');
  await page.getByRole('navigation').getByText('Monitors', { exact: true }).click();
  await fronts.getByRole('button', { name: /413 monitors, 9 failed$/ }).click();
  await expect.poll(() => location.hash).toBe('#/events?range=month&front=front-1');
});
