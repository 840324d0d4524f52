// What a screen shows while a request loads, after it was canceled, and after it failed: one retry time, and a way to exactly the
// request that failed.
import { describe, expect, it, vi } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from './screen-harness.ts';
import { weatherBody } from './weather-bodies.ts';

vi.setConfig({ testTimeout: 120_000 });

const limited = (seconds: number): Answer => ({
  status: 429,
  body: { error: 'too_many_requests', error_description: 'Slow down' },
  headers: { 'retry-after': String(seconds) },
});

describe('a fetch that lasts', () => {
  it('shows an outline, then seconds, and can be canceled, which ends it at the service', async () => {
    const { page, service } = await openScreens({
      routes: {
        'GET /v2/weather/': () => new Promise<Answer>(() => {}),
      },
    });
    await page.locator('[data-outline]').waitFor();
    const status = page.getByRole('status').filter({ hasText: /^Fetching .+ from .+, \d+\.\d s/ });
    await status.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await status.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    await expect.poll(() => service.requestsTo('GET /v2/weather/').at(-1)?.isBrokenOff).toBe(true);
    expect(await page.locator('[data-outline]').count()).toBe(0);
    await page.getByRole('button', { name: 'Retry', exact: true }).waitFor();
  });
});

describe('a fetch that fails', () => {
  it('counts down to one retry time, which Retry-After sets, and tries then', async () => {
    const { page, service } = await openScreens();
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => limited(3);
    await page.keyboard.press('F5');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const words = await alert.innerText();
    expect(words).toMatch(/Showing the forecast of \d\d:\d\d/);
    expect(words.match(/\b\d+ (s|min)\b(?! old)/g)).toHaveLength(1);
    expect(words).toMatch(/Retrying in [0-3] s/);
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now: Date.now(), iconBase: service.baseUrl }),
    });
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('slider').waitFor();
  });

  it('shows a body that is not JSON as it was received', async () => {
    const { page, service } = await openScreens();
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => ({
      body: '<html>Gateway is down',
      headers: { 'content-type': 'text/html' },
    });
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Show raw bytes' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Response body' });
    await dialog.getByText('<html>Gateway is down').waitFor();
    expect(await dialog.innerText()).toContain('Status 200 · text/html · 21 B');
  });

  it('opens exactly its own request in Traffic', async () => {
    const { page, service } = await openScreens();
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => limited(300);
    await page.keyboard.press('F5');
    const open = page.getByRole('alert').getByRole('button', { name: 'Open in Traffic' });
    await open.waitFor();
    // Another request in between, which a guess by time or by URL would open.
    await page.evaluate(() => (location.hash = '#/monitors'));
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await page.evaluate(() => (location.hash = '#/forecast'));
    await open.click();
    await expect.poll(() => page.url()).toMatch(/#\/traffic\/\d+/);
    await page.getByRole('region', { name: 'Request' }).or(page.getByLabel('Exchange')).first().waitFor();
    await page.getByText('Slow down').first().waitFor();
  });

  it('names the byte and the line at which JSON is cut off, and leaves no data behind', async () => {
    const { page } = await openScreens({
      routes: {
        'GET /v2/weather/': () => ({
          body: '{"objects": [\n{"é": 1},\n',
          headers: { 'content-type': 'application/json' },
        }),
      },
    });
    await page.getByRole('heading', { name: 'Couldn’t fetch the forecast' }).waitFor();
    // 14 bytes of the first line, 11 of the second with its é of two bytes.
    await page.getByText(/cut off at byte 25 \(line 3\)/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('says that the service’s clock differs by more than a minute', async () => {
    const { page, service } = await openScreens();
    await page.getByRole('slider').waitFor();
    service.routes['GET /v2/weather/'] = () => ({
      body: weatherBody({ now: Date.now(), iconBase: service.baseUrl }),
      headers: { date: new Date(Date.now() + 5 * 3_600_000).toUTCString() },
    });
    await page.keyboard.press('F5');
    await page.getByText(/The service’s clock is 5 h ahead/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
