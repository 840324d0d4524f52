// The monitor manager beside a service that reports deliveries as ours does, with a clock of its own.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { pausedReason } from '#contract/service-api/delivery.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, sandboxStatus } from '../open-app.ts';
import { AppError } from '../stub-client.ts';
import { monitorOf, reportOf } from './monitor-samples.ts';
import { openMonitors } from './stored-monitors.ts';

const minuteMs = 60_000;
/** The service's clock was moved. */
const aheadMs = 30 * minuteMs;
const timeAgo = (minutes: number) => new Date(Date.now() + aheadMs - minutes * minuteMs).toISOString();

const attempt = (minutesAgo: number, number: number, httpStatus: number, error: string | null) => ({
  started_at: timeAgo(minutesAgo),
  attempt: number,
  http_status: httpStatus,
  error,
});

const monitors = [
  monitorOf('precipitation_1048', { geo: { lat: 45.0703, lng: 7.6869 } }),
  monitorOf('precipitation_1049', { geo: { lat: 44.4056, lng: 8.9463 } }),
  monitorOf('precipitation_1050', { geo: { lat: 60.3913, lng: 5.3221 } }),
  monitorOf('precipitation_1051', { geo: { lat: 64.1466, lng: -21.9426 } }),
  monitorOf('precipitation_1052', { geo: { lat: -1.2921, lng: 36.8219 }, callbackUri: null }),
];

const off = { is_on: false, off_since: timeAgo(300), off_reason: 'the callback URL returned 410 Gone' };

const deliveries = (): MonitorDelivery[] => [
  deliveryOf('precipitation_1048', {
    last_event_at: timeAgo(12),
    next_event_allowed_at: timeAgo(-48.4),
    last_attempt: attempt(12, 1, 200, null),
  }),
  deliveryOf('precipitation_1049', {
    last_event_at: timeAgo(180),
    last_attempt: attempt(180, 1, 204, null),
  }),
  deliveryOf('precipitation_1050', {
    last_event_at: timeAgo(39),
    next_event_allowed_at: timeAgo(-21.4),
    failed_in_a_row: 1,
    last_attempt: attempt(33, 3, 502, 'http 502'),
  }),
  deliveryOf('precipitation_1051', {
    last_event_at: timeAgo(300),
    failed_in_a_row: 1,
    ...off,
    last_attempt: attempt(300, 1, 410, 'http 410'),
  }),
  deliveryOf('precipitation_1052'),
];

const reported = (states: MonitorDelivery[], more: object = {}) => reportOf(states, { aheadMs, ...more });

const explanation = {
  monitor_id: 'precipitation_1050',
  cause: 'dry',
  since: '2026-11-21T06:50:00',
  until: null,
  reason: null,
  checked_at: null,
  next_check_at: null,
  weather: null,
  last_event: null,
  is_at_sea: false,
  verification: { confirmed: 8, not_confirmed: 0, no_evidence: 1, missed: 0, median_lead_time_seconds: 720 },
  sentence: '',
  now: '2026-11-21T06:50:00',
} as const;

const rowOf = (id: string) => page.getByRole('row').filter({ hasText: id });
const opener = (id: string) => page.getByRole('button', { name: id, exact: true });
const panelOf = (id: string) => page.getByRole('region', { name: `Monitor ${id}` });
const filter = page.getByLabelText('Filter the monitors');
const shownIds = () =>
  page
    .getByRole('row')
    .getByText(/^precipitation_\d+$/)
    .elements()
    .map(({ textContent }) => textContent.slice(-4));

describe('the monitors beside a service that reports deliveries', () => {
  it('have the status of their callback and the next allowed event, which filter and order', async () => {
    openMonitors(monitors, { deliveryStates: () => reported(deliveries()) });
    await expectShown(rowOf('precipitation_1048').getByText('12 min ago'));
    await expectShown(rowOf('precipitation_1048').getByText('in 48 min'));
    await expectShown(rowOf('precipitation_1049').getByText('3 h ago'));
    await expectShown(rowOf('precipitation_1050').getByText('502 · attempt 3'));
    await expectShown(rowOf('precipitation_1050').getByText('in 21 min'));
    await expectShown(rowOf('precipitation_1051').getByText('delivery stopped'));
    await expectShown(rowOf('precipitation_1051').getByText('Delivery is off'));
    await expectShown(rowOf('precipitation_1052').getByText('Never'));
    await expectAccessible('monitors in every state');

    for (const [state, expected] of [
      ['Failing 1', ['1050']],
      ['All 5', ['1048', '1049', '1050', '1051', '1052']],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Status' }).getByText(state).click();
      await expect.poll(shownIds).toEqual(expected);
    }
    await filter.fill('-state:ready -state:off');
    await expect.poll(shownIds).toEqual(['1048', '1050']);
    await page.getByRole('button', { name: 'Next possible event' }).click();
    await expect.poll(shownIds).toEqual(['1050', '1048']);
  });

  it('count what was confirmed, send a test event, and lead to their events', async () => {
    const { stub, notify } = openMonitors(monitors, {
      deliveryStates: () => reported(deliveries()),
      explain: () => ({ explanation }),
      sendTest: () => ({ event_id: 'test-2' }),
    });
    await opener('precipitation_1050').click();
    const panel = panelOf('precipitation_1050');
    await expectShown(panel.getByText('8 of 9 events confirmed, 1 without evidence; median lead time 12 min'));
    // Only a sandbox sends test events.
    stub({ app: { status: () => sandboxStatus } });
    notify({ topic: 'status' });
    await panel.getByRole('button', { name: 'Send test event' }).click();
    await expectShown(page.getByText('Test event sent to the callback URL for precipitation_1050'));
    await panel.getByRole('button', { name: 'Events' }).click();
    await expect.poll(() => location.hash).toBe('#/events?q=precipitation_1050&range=month');
  });

  it('are saved by their changed field; Replace asks before it overwrites a URL that was not returned', async () => {
    const { stored } = openMonitors(monitors, {
      deliveryStates: () => reported(deliveries()),
    });
    await opener('precipitation_1050').click();
    const panel = page.getByRole('region', { name: /^Monitor precipitation_/ });
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabelText('Longitude').fill('5,5');
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expectShown(page.getByText('Saved precipitation_1050'));
    expect(stored.get('precipitation_1050')?.geo).toEqual({ lat: 60.3913, lng: 5.5 });
    await opener('precipitation_1052').click();
    const replace = panel.getByRole('button', { name: 'Replace (PUT)' });
    await replace.click();
    await expectShown(page.getByText('Enter a URL, for instance'));
    await panel.getByLabelText('Callback URL').fill('https://new.example.net/rain');
    await replace.click();
    const question = page.getByRole('dialog', { name: 'Overwrite the callback URL?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expectGone(question);
    expect(stored.get('precipitation_1052')?.callbackUri).toBeNull();
    await expect.element(panel.getByLabelText('Callback URL')).toHaveValue('https://new.example.net/rain');
    await replace.click();
    await question.getByRole('button', { name: 'Replace anyway (PUT)' }).click();
    await expectShown(page.getByText('Replaced precipitation_1052'));
    expect(stored.get('precipitation_1052')?.callbackUri).toBe('https://new.example.net/rain');
  });

  it('are counted beside a full plan; the refusal of one more is in the dialog', async () => {
    const plan = { name: 'Developer', monitorLimit: 5 };
    const words = 'This application already has 5 monitors, the most that the plan Developer allows. Delete one.';
    openMonitors(monitors, {
      deliveryStates: () => reported(deliveries(), { plan }),
      create: () => Promise.reject(new AppError('REFUSED', words, { httpStatus: 403, error: 'limit_reached' })),
    });
    await expectShown(page.getByText('5 of 5 on the “Developer” plan. To create more'));
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expectShown(dialog.getByRole('alert').getByText(/the plan Developer allows\. Delete one/));
    await expectAccessible('the refusal of a monitor');
  });

  it('are planned with what one would have done at the place; another place ends a request that it makes void', async () => {
    const sentence = 'A monitor here would have fired 7 times in the last 30 days.';
    const answer = () => sentence;
    const { stub } = openMonitors(monitors, { deliveryStates: () => reported([], { hasBacktest: true }) });
    stub({ backtest: { run: answer } });
    await expectShown(opener('precipitation_1048'));
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await expectShown(dialog.getByText(sentence));
    const latitude = dialog.getByLabelText('Latitude');
    let ended: AbortSignal | undefined;
    stub({
      backtest: {
        run(_place, signal) {
          ended = signal;
          return new Promise(() => {});
        },
      },
    });
    await latitude.fill('12.5');
    await expectShown(dialog.getByText(/^Checking the last 30 days at this location, [\d.]+ s/));
    await expectGone(dialog.getByText(sentence));
    stub({ backtest: { run: answer } });
    await latitude.fill('13.25');
    await expectShown(dialog.getByText(sentence));
    expect(ended?.aborted).toBe(true);

    stub({ backtest: { run: () => Promise.reject(new AppError('RATE_LIMITED', 'Slow down')) } });
    await latitude.fill('14');
    await expectShown(dialog.getByText('Couldn’t check the last 30 days at this location'));
    stub({ backtest: { run: () => 'Not enough data to say how often.' } });
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expectShown(dialog.getByText(/^Not enough data/));
    // An invalid place is not requested: that would show the sentence again.
    stub({ backtest: { run: answer } });
    await latitude.fill('95');
    await expectGone(dialog.getByText(/^Not enough data/));
    await expectGone(dialog.getByText(sentence));
  });

  it('that were turned off are reported on any screen, shown with their reason, and turned on again', async () => {
    let states = deliveries().map((state) => ({ ...state, is_on: true }));
    const turnOff = (ids: readonly string[]) => {
      states = states.map((state) => (ids.includes(state.monitor_id) ? { ...state, ...off } : state));
      notify({ topic: 'monitors' });
    };
    const { notify, store } = openMonitors(monitors, {
      deliveryStates: () => reported(states),
      setOn({ id, isOn }) {
        const change = { is_on: isOn, off_since: isOn ? null : off.off_since, off_reason: isOn ? null : pausedReason };
        states = states.map((state) => (state.monitor_id === id ? { ...state, ...change } : state));
        return {};
      },
    });
    await opener('precipitation_1051').click();
    const panel = panelOf('precipitation_1051');
    await expectShown(panel);
    // A change made elsewhere reaches this screen by core's notice.
    turnOff(['precipitation_1051']);
    const messages = page.getByRole('region', { name: 'Messages' });
    await expectShown(messages.getByText('Delivery for 1 monitor is off', { exact: true }));
    await messages.getByRole('button', { name: 'Close the message' }).click();
    await expectShown(panel.getByRole('alert'));
    await expectAccessible('a monitor that is off');
    await panel.getByRole('button', { name: 'Resume' }).click();
    await expectShown(page.getByText('Resumed precipitation_1051'));
    await expectGone(panel.getByRole('alert'));
    // Pausing is the same switch, but no alarm.
    await panel.getByRole('button', { name: 'Pause' }).click();
    await expectShown(
      panel.getByText('This monitor keeps its ID and cool-down, and gets no events until you resume it.'),
    );
    await expectGone(messages.getByText('Delivery for 1 monitor is off'));
    await panel.getByRole('button', { name: 'Resume' }).click();
    await expectShown(panel.getByRole('button', { name: 'Pause' }));
    // Many at once are one message, which leads to them from any screen.
    store.getState().frame.goTo('traffic');
    turnOff(['precipitation_1048', 'precipitation_1049', 'precipitation_1050']);
    await expectShown(messages.getByText('Delivery for 3 monitors is off', { exact: true }));
    await messages.getByRole('button', { name: 'Show monitors' }).click();
    await expectShown(page.getByText('3 of 5 monitors'));
  });
});

describe('the monitors beside a service with only the interface', () => {
  it('have no action that the service does not have', async () => {
    openMonitors(monitors);
    await expectShown(rowOf('precipitation_1049').getByText('None received'));
    await opener('precipitation_1048').click();
    await expectShown(page.getByText('This service doesn’t report deliveries.'));
    await expectGone(page.getByRole('button', { name: 'Send test event' }));
    await userEvent.keyboard('{Escape}');
  });
});
