// The sandbox's controls and the settings as people use them.
import { describe, expect, it, vi } from 'vitest';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import type { Route } from '#test/core/fake-service.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from './screen-harness.ts';

// A browser on a busy machine is slow, and axe looks at every element.
vi.setConfig({ testTimeout: 60_000 });

/** A service whose sandbox control remembers what it was told. */
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
  it('breaks the weather for some requests, shows what is broken, and mends it', async () => {
    const { page, service } = await openScreens({ routes: sandboxRoutes(), hash: '#/sandbox' });
    const card = page.getByRole('region', { name: 'Break the weather' });
    await card.getByText('The weather answers as it should.').waitFor();
    await card.getByText('500', { exact: true }).click();
    await card.getByRole('textbox', { name: 'Requests' }).fill('3');
    await card.getByRole('button', { name: 'Break it' }).click();
    await card.getByText('500 is on.').waitFor();
    await card.getByText(/1 request was hit, 2 more will be; it ends in 5 min/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(JSON.parse(service.requestsTo('PUT /sandbox/fault')[0]?.body ?? '{}')).toMatchObject({
      kind: 'error',
      requests: 3,
      minutes: 5,
    });
    await card.getByRole('button', { name: 'Mend it' }).click();
    await card.getByText('The weather answers as it should.').waitFor();
  });

  it('lays rain over a place, moves the clock and says what it did', async () => {
    const { page, service } = await openScreens({ routes: sandboxRoutes(), hash: '#/sandbox' });
    await page.getByText('Nothing is laid over the weather now.').waitFor();
    await page.getByText('The name could not be found.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Minutes' }).fill('0');
    await page.getByText('1 to 4320').waitFor();
    expect(await page.getByRole('button', { name: 'Lay it over the place' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Minutes' }).fill('45');
    await page.getByRole('button', { name: 'Lay it over the place' }).click();
    await page.getByText('45 min left').waitFor();
    expect(JSON.parse(service.requestsTo('POST /sandbox/scenarios')[0]?.body ?? '{}')).toMatchObject({
      center: { lat: 45.0703, lng: 7.6869 },
      minutes: 45,
    });
    await page.getByRole('button', { name: '1 h ahead' }).click();
    await page.getByText('It is 1 h ahead of this machine.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('says in words what the sandbox refused', async () => {
    const { page } = await openScreens({ routes: sandboxRoutes(), hash: '#/sandbox', settings: { theme: 'dark' } });
    await page.getByText('Simulation', { exact: true }).click();
    await page
      .getByText(/This provider is switched off/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('the settings screen', () => {
  it('keeps the theme, the zone and the limits', async () => {
    const { page, core } = await openScreens({ hash: '#/settings' });
    await page.getByRole('region', { name: 'Look' }).getByText('Dark', { exact: true }).click();
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await page.getByText('UTC', { exact: true }).click();
    await page.getByLabel('Callbacks kept').fill('99');
    await page.getByText('100 to 5,000,000').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Callbacks kept').fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => core.client.settings.get())
      .toMatchObject({ theme: 'dark', zone: 'utc', keptLimits: { keptCallbacks: 500 } });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('moves the receiver, and offers the next free port where the wanted one is taken', async () => {
    const { page, core, service } = await openScreens({ hash: '#/settings' });
    const taken = new URL(service.baseUrl).port;
    const port = page.getByRole('textbox', { name: 'Port of the callback receiver' });
    await port.fill('80');
    await page.getByText('1024 to 65535').waitFor();
    await port.fill(taken);
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByText('The receiver stayed where it was').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Take \d+$/ }).click();
    const offered = await port.inputValue();
    await page.getByRole('button', { name: 'Move' }).click();
    await expect.poll(() => core.core.status().receiver.baseUrl).toBe(`http://127.0.0.1:${offered}`);
  });
});
