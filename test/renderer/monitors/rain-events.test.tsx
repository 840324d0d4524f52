// A monitor's own events in the app: the form that chooses them, and the rain that tries them.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BacktestQuestion } from '#contract/app-rpc/backtest.ts';
import type { MonitorOptions } from '#contract/service-api/rain-event.ts';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, sandboxStatus } from '../open-app.ts';
import { monitorOf, reportOf } from './monitor-samples.ts';
import { openMonitors } from './stored-monitors.ts';

const all: MonitorOptions = {
  payload: 'event',
  events: ['precipitation.expected', 'precipitation.started', 'precipitation.ended'],
  conditions: {
    min_precipitation_rate: 0.5,
    precipitation_types: ['rain', 'sleet'],
    lead_minutes: 30,
    dry_minutes: 90,
  },
};
const plain = monitorOf('precipitation_1');
const rich = monitorOf('precipitation_2', { geo: { lat: 59.91, lng: 10.75 }, options: all });
const sentence = (count: number) => `A monitor here would have fired ${count} times in the last 30 days.`;
const states = (...changed: Parameters<typeof deliveryOf>[]) =>
  reportOf(
    changed.map((one) => deliveryOf(...one)),
    { hasBacktest: true },
  );

describe('the form of a monitor', () => {
  it('offers events in plain choices, says what will happen, and backtests these conditions', async () => {
    const { stub, created } = openMonitorsWithCreate();
    const asked: BacktestQuestion[] = [];
    stub({
      backtest: {
        run(question) {
          asked.push(question);
          return sentence(question.conditions ? 3 : 7);
        },
      },
    });
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await expectShown(dialog.getByText('Sends the monitor when precipitation is near, at most once an hour.'));
    await expectShown(dialog.getByText(sentence(7)));
    expect(asked.at(-1)).not.toHaveProperty('conditions');
    await dialog.getByRole('combobox', { name: 'Sends' }).click();
    await page.getByRole('option', { name: 'Rain event (JSON)' }).click();
    await expectGone(dialog.getByRole('combobox', { name: 'Lead time' }));
    const from = dialog.getByLabelText('From (mm/h)');
    await from.fill('60');
    await dialog.getByLabelText('Before it starts').click();
    await expect.element(from).toHaveValue('50');
    await userEvent.fill(from, '');
    await userEvent.type(from, '0.5');
    await dialog.getByRole('combobox', { name: 'Lead time' }).click();
    await page.getByRole('option', { name: '30 min before' }).click();
    await dialog.getByLabelText('When it is over').click();
    for (const kind of ['Freezing rain', 'Snow', 'Hail', 'Unknown kind']) await dialog.getByLabelText(kind).click();
    await dialog.getByLabelText('Dry minutes until it is over').fill('90');
    await expectShown(
      dialog.getByText(
        'Sends an event for rain or sleet from 0.5 mm/h: up to 30 min before it starts, when it starts, and when it is over. It is over after 90 dry minutes.',
      ),
    );
    await expectShown(dialog.getByText(sentence(3)));
    const conditions = { min_precipitation_rate: 0.5, precipitation_types: ['rain', 'sleet'], dry_minutes: 90 };
    await expect.poll(() => asked.at(-1)).toMatchObject({ conditions });
    await expectAccessible('a new monitor with events');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect.poll(created).toMatchObject({ options: all });
  });
});

function openMonitorsWithCreate() {
  let input: object = {};
  const opened = openMonitors([plain], {
    deliveryStates: () => states([plain.id]),
    create(given) {
      input = given;
      return monitorOf('precipitation_9', { options: given.options });
    },
  });
  return { ...opened, created: () => input };
}

describe('rain in the sandbox', () => {
  const clock = { now: new Date().toISOString(), aheadSeconds: 0 };
  const provider = { choice: 'auto' as const, lastAnswered: null, lastErrors: [] };
  const cache = { hits: 0, misses: 0, cells: 0 };
  const answer: SandboxState = { clock, provider, cache, scenarios: [], weatherFault: null };

  async function open(nextAllowedAt: string | null = null) {
    const told: object[] = [];
    const tell = (input: object) => {
      told.push(input);
      return answer;
    };
    const { stub, notify } = openMonitors([plain, rich], {
      deliveryStates: () => states([plain.id], [rich.id, { next_event_allowed_at: nextAllowedAt }]),
    });
    await expectShown(page.getByText(rich.id).first());
    stub({
      app: { status: () => sandboxStatus },
      sandbox: { state: () => answer, addScenario: tell, addSeries: tell, moveClock: tell },
    });
    notify({ topic: 'status' });
    const rainOn = (id: string) => page.getByRole('button', { name: `Make it rain near ${id}` }).click();
    return { told, rainOn, dialog: page.getByRole('dialog', { name: 'Make it rain near precipitation_2' }) };
  }

  it('is one click on a monitor without events, and takes amount, kind, temperature, and wind for one with', async () => {
    const { told, rainOn, dialog } = await open();
    await rainOn(plain.id);
    await expect.poll(() => told).toMatchObject([{ center: plain.geo, minutes: 20, radiusKm: 30, status: 'rainy' }]);
    await rainOn(rich.id);
    await dialog.getByLabelText('Precipitation').selectOptions('snow');
    await dialog.getByLabelText('Amount (mm/h)').fill('3');
    await dialog.getByLabelText('Temperature (°C)').fill('-3');
    await dialog.getByLabelText('Wind (m/s)').fill('7');
    await dialog.getByLabelText('Minutes').fill('25');
    await expectAccessible('the rain of a monitor');
    await dialog.getByRole('button', { name: 'Make it rain' }).click();
    const weather = { kind: 'snow', mmPerHour: 3, temperature: 270.15, windSpeed: 7 };
    await expect
      .poll(() => told[1])
      .toMatchObject({ center: rich.geo, minutes: 25, radiusKm: 30, status: 'snowy', ...weather });
  });

  it('plays an episode: after the cool-down, from its forecast until it is over', async () => {
    const ends = new Date(Date.now() + 1_800_000);
    const { told, rainOn, dialog } = await open(ends.toISOString());
    await rainOn(rich.id);
    await expectShown(dialog.getByText(/^The monitor is in cool-down until /));
    await dialog.getByRole('button', { name: 'Play an episode' }).click();
    const csv = 'minute,mm_per_hour,kind,temperature_c,wind_ms\n0,0\n30,2.4,rain,,\n50,0';
    await expect
      .poll(() => told)
      .toEqual([
        { kind: 'set', instant: new Date(ends.getTime() + 1000).toISOString() },
        { center: rich.geo, radiusKm: 30, csv },
        { kind: 'advance', seconds: (50 + 90 + 10) * 60 },
      ]);
    await expectShown(page.getByText('Played an episode; the sandbox’s clock is 150 min later'));
  });
});
