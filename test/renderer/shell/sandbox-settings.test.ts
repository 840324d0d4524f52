// The sandbox's controls and the settings as people use them.
import { describe, expect, it } from 'vitest';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import type { Route } from '#test/core/fake-service.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

/** A service whose sandbox controls record their requests. */
function sandboxRoutes(): Record<string, Route> {
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
  return {
    'GET /sandbox/state': () => ({ body: state }),
    'POST /sandbox/scenarios': ({ body }) => {
      const { center, status, minutes } = JSON.parse(body) as {
        center: { lat: number; lng: number };
        status: 'rainy';
        minutes: number;
      };
      const startsAt = Date.now();
      state.scenarios.push({
        id: `scenario_${state.scenarios.length}`,
        center,
        status,
        radiusKm: 30,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + minutes * 60_000).toISOString(),
      });
      return { body: state };
    },
    'POST /sandbox/clock': ({ body }) => {
      const move = JSON.parse(body) as { kind: string; seconds?: number };
      state.clock.aheadSeconds = move.kind === 'reset' ? 0 : state.clock.aheadSeconds + (move.seconds ?? 0);
      return { body: state };
    },
    'PUT /sandbox/fault': ({ body }) => {
      const { kind, requests } = JSON.parse(body) as { kind: 'error'; requests: number };
      const endsAt = new Date(Date.now() + 300_000).toISOString();
      state.weatherFault = { kind, requestsLeft: requests - 1, requestsHit: 1, delaySeconds: 5, endsAt };
      return { body: state };
    },
    'DELETE /sandbox/fault': () => {
      state.weatherFault = null;
      return { body: state };
    },
    'POST /sandbox/provider': () => ({
      status: 400,
      body: { error: 'invalid_request', error_description: 'This provider is switched off' },
    }),
  };
}

describe('the sandbox screen', () => {
  it('breaks the weather, lays rain over a place, moves the clock, and shows what it did or why the sandbox refused', async () => {
    const { page, service } = await openScreens({ routes: sandboxRoutes(), hash: '#/sandbox' });
    const card = page.getByRole('region', { name: 'Weather fault' });
    await card.getByText('No fault is active.').waitFor();
    await card.getByText('500', { exact: true }).click();
    await card.getByRole('textbox', { name: 'Requests' }).fill('3');
    await card.getByRole('button', { name: 'Start fault' }).click();
    await card.getByText('Fault active: 500.').waitFor();
    await card.getByText(/1 request affected, 2 left. Ends in 5 min/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(JSON.parse(service.requestsTo('PUT /sandbox/fault')[0]?.body ?? '{}')).toMatchObject({
      kind: 'error',
      requests: 3,
      minutes: 5,
    });
    await card.getByRole('button', { name: 'Stop fault' }).click();
    await card.getByText('No fault is active.').waitFor();

    await page.getByText('No active scenarios').waitFor();
    await page.getByText('The name could not be found.').waitFor();
    await page.getByRole('textbox', { name: 'Minutes' }).fill('0');
    await page.getByText('1 to 4320').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Apply scenario' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Minutes' }).fill('45');
    await page.getByRole('button', { name: 'Apply scenario' }).click();
    await page.getByText('Ends in 45 min').waitFor();
    expect(JSON.parse(service.requestsTo('POST /sandbox/scenarios')[0]?.body ?? '{}')).toMatchObject({
      center: { lat: 45.0703, lng: 7.6869 },
      minutes: 45,
    });
    await page.getByRole('button', { name: '1 h ahead' }).click();
    await page.getByText('The sandbox’s clock is 1 h ahead of this computer’s.').waitFor();

    await page.getByRole('radiogroup', { name: 'Provider' }).getByText('Simulation').click();
    await page
      .getByText(/This provider is switched off/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('the settings screen', () => {
  it('saves each setting as it changes, resets it, and finds settings by what they mean', async () => {
    const { page, core } = await openScreens({ hash: '#/settings' });
    const stored = () => core.client.settings.get();
    await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark', { exact: true }).click();
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    const row = page.getByRole('button', { name: 'Reset Theme' });
    await row.click();
    await expect.poll(stored).toMatchObject({ theme: 'system' });
    await expect.poll(() => row.count()).toBe(0);
    await page.getByRole('radiogroup', { name: 'Density' }).getByText('Comfortable').click();
    await expect.poll(() => page.locator('html').getAttribute('data-density')).toBe('comfortable');
    const kept = page.getByRole('textbox', { name: 'Callbacks to keep' });
    await kept.fill('99');
    await page.getByText('100 to 5,000,000').waitFor();
    await kept.press('Enter');
    await kept.fill('500');
    await kept.press('Enter');
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
    const titles = () => page.locator('main section h3').allInnerTexts();
    await search.fill('knots');
    await page.getByText('1 setting', { exact: true }).waitFor();
    expect(await titles()).toEqual(['Wind speed']);
    await search.fill('retention days');
    expect(await titles()).toEqual(['Days to keep callbacks']);
    await search.fill('nothing like this');
    await page.getByRole('button', { name: 'Show all settings' }).click();
    expect((await titles()).length).toBeGreaterThan(20);
  });

  it('changes units and clock on the forecast at once', async () => {
    const { page, core } = await openScreens({
      hash: '#/forecast',
      weather: {
        hasMeasured: true,
        change: (point) => ({
          ...point,
          weather: { ...point.weather, measured: { temperature: 273.15, wind_speed: 10, rainfall: 2.54 } },
        }),
      },
    });
    // The bubble at the cursor.
    const facts = page.locator('[data-mode="full"]');
    await facts.getByText('0.0 °C').waitFor();
    await facts.getByText('10.0 m/s').waitFor();
    await page.evaluate(() => void (location.hash = '#/settings'));
    await page.getByRole('radiogroup', { name: 'Preset' }).getByText('US', { exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Wind speed' }).getByText('kn', { exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Clock' }).getByText('12-hour clock').click();
    await expect
      .poll(() => core.client.settings.get())
      .toMatchObject({ temperatureUnit: '°F', precipitationUnit: 'in', windUnit: 'kn', clockFormat: '12' });
    await page.evaluate(() => void (location.hash = '#/forecast'));
    await facts.getByText('32.0 °F').waitFor();
    await facts.getByText('19 kn').waitFor();
    // At the first point of a day, its sum is the same.
    await facts.getByText('0.10 in').first().waitFor();
    await expect.poll(() => facts.innerText()).toMatch(/\d:\d\d\u00A0[AP]M/);
  });

  it('moves the receiver, and offers the next free port if the requested one is taken', async () => {
    const { page, core, service } = await openScreens({ hash: '#/settings' });
    const taken = new URL(service.baseUrl).port;
    const port = page.getByRole('textbox', { name: 'Callback receiver port' });
    await port.fill('80');
    await page.getByText('1024 to 65535').waitFor();
    await port.fill(taken);
    await page.getByRole('button', { name: 'Change port' }).click();
    await page.getByText('Couldn’t change the port').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Use \d+$/ }).click();
    const offered = await port.inputValue();
    await page.getByRole('button', { name: 'Change port' }).click();
    await expect.poll(() => core.core.status().receiver.baseUrl).toBe(`http://127.0.0.1:${offered}`);
  });
});
