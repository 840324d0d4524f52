// The sandbox's controls and the settings as people use them.
import { describe, expect, it, onTestFinished } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, forecastOf, openApp, readyStatus, sandboxStatus } from '../open-app.ts';
import { AppError, type Stubs } from '../stub-client.ts';

/** Sandbox controls that record their calls. */
function sandboxStubs() {
  const state: SandboxState = {
    clock: { now: new Date().toISOString(), aheadSeconds: 0 },
    provider: {
      choice: 'auto',
      lastAnswered: 'simulation',
      lastErrors: [{ provider: 'open-meteo', at: new Date().toISOString(), message: 'The name could not be found.' }],
    },
    cache: { hits: 3, misses: 1, cells: 1 },
    scenarios: [],
    weatherFault: null,
  };
  const told: { fault?: object; scenario?: object; series?: object } = {};
  const sandbox: NonNullable<Stubs['sandbox']> = {
    state: () => state,
    account: () => Promise.reject(new AppError('UNAVAILABLE', 'There is no account.')),
    addScenario(scenario) {
      told.scenario = scenario;
      const { center, status = 'rainy', minutes } = scenario;
      state.clock.now = new Date().toISOString();
      state.scenarios.push({
        id: 'scenario_0',
        center,
        status,
        radiusKm: 30,
        startsAt: state.clock.now,
        endsAt: new Date(Date.now() + minutes * 60_000).toISOString(),
      });
      return state;
    },
    addSeries(series) {
      told.series = series;
      return state;
    },
    startWeatherFault(fault) {
      told.fault = fault;
      const endsAt = new Date(Date.now() + 300_000).toISOString();
      state.weatherFault = { kind: 'error', requestsLeft: 2, requestsHit: 1, delaySeconds: 5, endsAt };
      return state;
    },
    stopWeatherFault() {
      state.weatherFault = null;
      return state;
    },
    chooseProvider: () => Promise.reject(new AppError('REFUSED', 'This provider is switched off')),
  };
  return { stubs: { sandbox, app: { status: () => sandboxStatus } }, told };
}

describe('the sandbox screen', () => {
  it('breaks the weather, lays rain over a place, and shows what it did or why the sandbox refused', async () => {
    const { stubs, told } = sandboxStubs();
    openApp({ stubs, hash: '#/sandbox' });
    const card = page.getByRole('region', { name: 'Weather fault' });
    await expectShown(card.getByText('No fault is active.'));
    await card.getByText('500', { exact: true }).click();
    await card.getByRole('textbox', { name: 'Requests' }).fill('3');
    await card.getByRole('button', { name: 'Start fault' }).click();
    await expectShown(card.getByText('Fault active: 500.'));
    await expectShown(card.getByText(/1 request affected, 2 left. Ends in 5 min/));
    expect(told.fault).toMatchObject({ kind: 'error', requests: 3, minutes: 5 });
    await card.getByRole('button', { name: 'Stop fault' }).click();
    await expectShown(card.getByText('No fault is active.'));

    await expectShown(page.getByText('No active scenarios'));
    await expectShown(page.getByText('The name could not be found.'));
    const minutes = page.getByRole('textbox', { name: 'Minutes' }).first();
    await minutes.fill('45');
    await userEvent.type(page.getByLabelText('Amount (mm/h)'), '2.5');
    await page.getByRole('button', { name: 'Apply scenario' }).click();
    await expectShown(page.getByText('within 30 km'));
    expect(page.getByText(/^Starts in /).query()).toBeNull();
    await expectShown(page.getByText('Ends in 45 min'));
    expect(told.scenario).toMatchObject({ center: { lat: 45.0703, lng: 7.6869 }, minutes: 45, mmPerHour: 2.5 });
    const file = (text: string) => new File([text], 'rain.csv', { type: 'text/csv' });
    const chooser = document.querySelector<HTMLInputElement>('main input[type=file]') ?? document.body;
    await userEvent.upload(chooser, file('minute,mm_per_hour\n0,much\n'));
    await expectShown(
      page.getByText('rain.csv: Line 2: mm_per_hour must be a number (0, or at least 0.1) from 0 to 300.'),
    );
    await userEvent.upload(chooser, file('minute,mm_per_hour\n0,2\n10,0\n'));
    await expectShown(page.getByText(/^Series applied around /));
    expect(told.series).toMatchObject({ center: { lat: 45.0703 }, csv: 'minute,mm_per_hour\n0,2\n10,0\n' });

    await page.getByRole('radiogroup', { name: 'Provider' }).getByText('Simulation').click();
    await expectShown(page.getByText(/This provider is switched off/).first());
    await expectAccessible('the sandbox with a refusal');
  });
});

describe('the settings screen', () => {
  it('saves each setting as it changes, resets it, and finds settings by what they mean', async () => {
    const { store } = openApp({ hash: '#/settings' });
    const stored = () => store.getState().settings.values;
    const { dataset } = document.documentElement;
    await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark', { exact: true }).click();
    await expect.poll(() => dataset['mantineColorScheme']).toBe('dark');
    const reset = page.getByRole('button', { name: 'Reset Theme' });
    await reset.click();
    await expect.poll(stored).toMatchObject({ theme: 'system' });
    await expectGone(reset);
    await page.getByRole('radiogroup', { name: 'Density' }).getByText('Comfortable').click();
    await expect.poll(() => dataset['density']).toBe('comfortable');
    const { send } = cdp() as unknown as { send: (method: string, input: object) => Promise<unknown> };
    const forceColors = async (value: 'active' | 'none') => {
      const others = { 'prefers-color-scheme': 'light', 'prefers-reduced-motion': 'reduce' };
      const features = Object.entries({ ...others, 'forced-colors': value }).map(([name, is]) => ({ name, value: is }));
      await send('Emulation.setEmulatedMedia', { features });
    };
    await forceColors('active');
    const outlineOf = (choice: string) => {
      const label = page.getByText(choice, { exact: true }).element().closest('label');
      return label && getComputedStyle(label).outlineStyle;
    };
    await expect.poll(() => [outlineOf('Compact'), outlineOf('Comfortable')]).toEqual(['none', 'solid']);
    await forceColors('none');
    const kept = page.getByRole('textbox', { name: 'Callbacks to keep' });
    await kept.fill('99');
    await expectShown(page.getByText('100 to 5,000,000'));
    await userEvent.keyboard('{Enter}');
    await kept.fill('500');
    await userEvent.keyboard('{Enter}');
    await page.getByRole('textbox', { name: 'Days to keep callbacks' }).fill('30');
    await page.getByRole('textbox', { name: 'Contact for MET Norway' }).fill('dev@example.com');
    await page.getByRole('radiogroup', { name: 'Time zone' }).getByText('UTC', { exact: true }).click();
    await expect.poll(stored).toMatchObject({
      zone: 'utc',
      density: 'comfortable',
      providerContact: 'dev@example.com',
      keptLimits: { keptCallbacks: 500, keptDays: 30, keptMegabytes: 4096 },
    });

    const search = page.getByRole('textbox', { name: 'Search settings' });
    const titles = () => [...document.querySelectorAll('main section h3')].map(({ textContent }) => textContent);
    await search.fill('knots');
    await expectShown(page.getByText('1 setting', { exact: true }));
    await expect.poll(titles).toEqual(['Wind speed']);
    await search.fill('retention days');
    await expect.poll(titles).toEqual(['Days to keep callbacks']);
    await search.fill('nothing like this');
    await page.getByRole('button', { name: 'Show all settings' }).click();
    await expect.poll(() => titles().length).toBeGreaterThan(20);
  });

  it('changes units and clock on the forecast at once', async () => {
    const measured = { temperature: 273.15, wind_speed: 10, rainfall: 2.54 };
    const weather = forecastOf({
      change: (point) => ({ ...point, weather: { ...point.weather, measured } }),
    });
    const { store } = openApp({ stubs: { forecast: { get: () => weather } } });
    const facts = () => page.getByRole('region', { name: 'Next 72 hours' }).element().textContent;
    await expect.poll(facts).toContain('0.0 °C');
    await expect.poll(facts).toContain('10.0 m/s');
    store.getState().frame.goTo('settings');
    await page.getByRole('radiogroup', { name: 'Preset' }).getByText('US', { exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Wind speed' }).getByText('kn', { exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Clock' }).getByText('12-hour clock').click();
    const chosen = { temperatureUnit: '°F', precipitationUnit: 'in', windUnit: 'kn', clockFormat: '12' };
    await expect.poll(() => store.getState().settings.values).toMatchObject(chosen);
    store.getState().frame.goTo('forecast');
    await expect.poll(facts).toContain('32.0 °F');
    await expect.poll(facts).toContain('19 kn');
    await expect.poll(facts).toContain('0.10 in');
    await expect.poll(facts).toMatch(/\d:\d\d\u00A0[AP]M/);
  });

  it('moves the receiver, and offers the next free port if the requested one is taken', async () => {
    let port = 4545;
    const status = () => ({
      ...readyStatus,
      receiver: { ...readyStatus.receiver, baseUrl: `http://127.0.0.1:${port}` },
    });
    openApp({
      hash: '#/settings',
      stubs: {
        app: {
          status,
          moveReceiver(to) {
            if (to.port === 5000) throw new AppError('PORT_TAKEN', 'Port 5000 is in use.', { port: 5001 });
            port = to.port;
            return {};
          },
        },
      },
    });
    const field = page.getByRole('textbox', { name: 'Callback receiver port' });
    await field.fill('80');
    await expectShown(page.getByText('1024 to 65535'));
    await field.fill('5000');
    await page.getByRole('button', { name: 'Change port' }).click();
    await expectShown(page.getByText('Couldn’t change the port'));
    await expectAccessible('a port that is taken');
    await page.getByRole('button', { name: 'Use 5001' }).click();
    await expect.element(field).toHaveValue('5001');
    await page.getByRole('button', { name: 'Change port' }).click();
    await expect.poll(() => port).toBe(5001);
  });
});

it('the settings say what the browser’s permission is, ask for it, and follow it when it changes beside the page', async () => {
  let permission: NotificationPermission = 'default';
  class FakeNotification {
    static get permission() {
      return permission;
    }
    static async requestPermission() {
      return (permission = 'granted');
    }
  }
  const whole = globalThis.Notification;
  Object.defineProperty(globalThis, 'Notification', { value: FakeNotification, configurable: true });
  onTestFinished(() => void Object.defineProperty(globalThis, 'Notification', { value: whole, configurable: true }));
  openApp({ hash: '#/settings/notifications' });
  const allow = page.getByRole('button', { name: 'Allow notifications' });
  await expectShown(page.getByText('This browser doesn’t show notifications from Rainbell yet.'));
  await allow.click();
  await expectShown(page.getByText('This browser shows notifications while a Rainbell tab is open.'));
  await expectGone(allow);
  permission = 'denied';
  window.dispatchEvent(new Event('focus'));
  await expectShown(page.getByText('This browser blocks notifications from Rainbell.'));
  expect(allow.query()).toBeNull();
});

it('returns the focus to the button that was busy until its dialog opened', async () => {
  const files = [{ name: 'about.json', description: 'Versions', sizeBytes: 2, text: '{}' }];
  const preview = async () => {
    await expect.element(page.getByRole('button', { name: 'Export diagnostics…' })).toBeDisabled();
    return { files };
  };
  openApp({ hash: '#/settings/about', stubs: { diagnostics: { preview } } });
  await page.getByRole('button', { name: 'Export diagnostics…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByRole('button', { name: 'Export diagnostics…' })).toHaveFocus();
});
