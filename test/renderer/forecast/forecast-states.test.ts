// Every state the forecast can be in, drawn with what to do next, with axe in light and dark; every key of the
// screen; and a body of two megabytes that must not hold the page up.
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { accessibilityProblems, colorRules, inOtherTheme } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

const refusal = (status: number, error: string, words: string): Answer => ({
  status,
  body: { error, error_description: words },
});

/** What the service answers, and the words that must be on the screen then. */
const failures: readonly [name: string, answer: Answer, words: RegExp][] = [
  ['401', refusal(401, 'invalid_token', 'The token is revoked'), /token|sign in/i],
  ['403', refusal(403, 'insufficient_scope', 'The scope does not allow it'), /The scope does not allow it|refused/],
  [
    '429',
    { ...refusal(429, 'too_many_requests', 'Slow down'), headers: { 'retry-after': '300' } },
    /Slow down|300 s|5 min/,
  ],
  ['5xx', refusal(503, 'temporarily_unavailable', 'The disk is full'), /The disk is full|503/],
  ['a body that is no JSON', { body: '<html>hello', headers: { 'content-type': 'text/html' } }, /JSON/],
  ['no connection', { hangUp: true }, /connection|reached|closed|answer/i],
];

/** In both themes; the dark one changes only colors. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  const light = await accessibilityProblems(page);
  const dark = await inOtherTheme(page, () => accessibilityProblems(page, colorRules));
  expect({ state, light, dark }).toEqual({ state, light: [], dark: [] });
}

describe('the forecast screen in the light and in the dark', () => {
  it('draws loading, each failure without data, and each failure over old data', async () => {
    const { page, service } = await openScreens({ settings: { theme: 'light' } });
    const good: Answer = { body: weatherBody({ now: Date.now(), iconBase: service.baseUrl }) };
    let answer: Promise<Answer> | Answer = good;
    service.routes['GET /v2/weather/'] = () => answer;
    const alert = page.getByRole('alert');
    const slider = page.getByRole('slider');
    await slider.waitFor();

    let release: (late: Answer) => void = () => {};
    answer = new Promise<Answer>((resolve) => (release = resolve));
    await page.keyboard.press('F5');
    await page
      .getByRole('status')
      .filter({ hasText: /^Fetching .*, \d+\.\d s/ })
      .waitFor();
    await expectAccessible(page, 'loading over old data');
    release(good);
    answer = new Promise<Answer>((resolve) => (release = resolve));
    await page.reload();
    await page.locator('[data-outline]').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Fetching .*, \d+\.\d s/ })
      .waitFor();
    await expectAccessible(page, 'loading without data');
    release(good);
    answer = good;
    await slider.waitFor();

    for (const [name, bad, words] of failures) {
      answer = bad;
      await page.keyboard.press('F5');
      await alert.waitFor();
      const message = `${name}: ${await alert.innerText()}`;
      expect(message).toMatch(/Couldn’t fetch the forecast/);
      expect(message).toMatch(words);
      expect(message).toMatch(/Showing the forecast from/);
      await expect.poll(() => slider.count()).toBe(1);
      // The others differ only in their text.
      const hasOwnParts = name === '401' || name === '429';
      if (hasOwnParts) await expectAccessible(page, `${name} over old data`);
      await page.reload();
      await page.getByRole('heading', { name: 'Couldn’t fetch the forecast' }).waitFor();
      await alert.getByText(words).first().waitFor();
      if (hasOwnParts) await expectAccessible(page, `${name} without data`);
      answer = good;
      // At once, because the app also retries automatically.
      const press = (buttons: readonly (HTMLElement | SVGElement)[]) => {
        for (const button of buttons) if (button instanceof HTMLElement) button.click();
      };
      await alert.getByRole('button', { name: /^Retry/ }).evaluateAll(press);
      await slider.waitFor();
      await alert.waitFor({ state: 'detached' });
    }
  });

  it('draws an answer without points as what it is', async () => {
    const { page } = await openScreens({
      settings: { theme: 'light' },
      routes: { 'GET /v2/weather/': () => ({ body: { weather: [] } }) },
    });
    await page.getByText('The response has no points with a readable time.').waitFor();
    await page
      .getByText(/objects/)
      .first()
      .waitFor();
    await expectAccessible(page, 'no points');
  });

  it('says that the service starts, that it failed to, that data is old, and that the line is lost', async () => {
    const { page, dropLine, service, core } = await openScreens({ settings: { theme: 'light' }, isStarting: true });
    await page.getByText('The weather service is starting…').waitFor();
    await expectAccessible(page, 'starting, nothing asked yet');
    core.core.sandboxFailed({ code: 'SERVER', message: 'Its database is locked', details: {} });
    await page.getByRole('heading', { name: 'No forecast yet' }).waitFor();
    await expectAccessible(page, 'failed to start');
    core.core.connectSandbox(service.introduction);
    await page.getByRole('slider').waitFor();
    await page.getByText(/^Fetched .*, \d+ s ago$/).waitFor();
    // An hour later there was no other fetch: the service no longer answers.
    service.routes['GET /v2/weather/'] = () => ({ hangUp: true });
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
    });
    await page
      .getByText(/^Fetched .*, 1 h( \d+ min)? ago$/)
      .first()
      .waitFor();
    await expectAccessible(page, 'stale');
    await page.context().setOffline(true);
    await dropLine();
    await page.getByText('Connection lost').first().waitFor();
    await expect.poll(() => page.getByRole('slider').count()).toBe(1);
    await expectAccessible(page, 'line lost');
  });
});

describe('the keys of the forecast screen', () => {
  it('do what the interface of the timeline promises', async () => {
    const { page, service } = await openScreens();
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    await slider.focus();
    const at = async () => Number(await slider.getAttribute('aria-valuenow'));
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return at();
    };
    expect(await press('ArrowRight')).toBe(2);
    expect(await press('ArrowUp')).toBe(3);
    expect(await press('ArrowLeft')).toBe(2);
    expect(await press('ArrowDown')).toBe(1);
    const run = await press('Shift+ArrowRight');
    expect(run).toBeGreaterThan(2);
    expect(await press('Shift+ArrowLeft')).toBe(1);
    const tomorrow = await press('PageDown');
    expect(tomorrow).toBeGreaterThanOrEqual(24);
    expect(await press('PageUp')).toBeLessThanOrEqual(2);
    expect(await press('End')).toBe(73);
    await page.keyboard.press('Enter');
    await page.locator('[data-kind="pinned"]').waitFor();
    // There is one cursor: the pin goes along, and Escape lets go.
    expect(await press('Home')).toBe(1);
    await page.locator('[data-kind="pinned"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-kind="pinned"]').waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await page.getByRole('region', { name: 'Forecast points as a table' }).waitFor();
    await page.keyboard.press('t');
    await slider.waitFor();
    await page.keyboard.press('/');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Forecast location');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Fetch', exact: true }).focus();
    const asked = service.requestsTo('GET /v2/weather/').length;
    await page.keyboard.press('F5');
    await expect.poll(() => service.requestsTo('GET /v2/weather/').length).toBe(asked + 1);
    await page.keyboard.press('m');
    await page.getByRole('application').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
  });
});

describe('a body of two megabytes', () => {
  it('is inspected without being put on the page whole', async () => {
    const filler = 'x'.repeat(2_000_000);
    const { page } = await openScreens({
      weather: { change: (point, index) => (index === 1 ? { ...point, filler } : point) },
    });
    const slider = page.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    const lengthOf = async (name: string) => (await page.getByRole('region', { name }).innerText()).length;
    expect(await lengthOf('The response as JSON')).toBeLessThan(200_000);
    await page.getByRole('button', { name: 'More JSON actions' }).click();
    await page.getByRole('button', { name: 'Show as received' }).click();
    await page.getByText(/2\.0 MB as received/).waitFor();
    expect(await lengthOf('The response as received')).toBeLessThan(200_000);
    await slider.focus();
    await page.keyboard.press('End');
    await page.locator('mark').filter({ hasText: '"timestamp"' }).waitFor();
    expect(await lengthOf('The response as received')).toBeLessThan(200_000);
  });
});

it('shows the forecast without the point’s details if their file cannot be loaded, and says so in their place', async () => {
  const { page } = await openScreens();
  await page.route(/PointDetails/, (route) => route.abort());
  await page.reload();
  await page.getByRole('alert').getByRole('heading', { name: 'The point details pane stopped working' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Next 72 hours' }).isVisible()).toBe(true);
});

it('shows the HTTP status of an icon that does not load in text that fits into its box, however long it is', async () => {
  const { page } = await openScreens({
    routes: { 'GET /v2/icons/thunderstorming-heavily': () => ({ status: 503 }) },
    weather: { statuses: ['thunderstorming-heavily'] },
  });
  const boxes = page.getByRole('img', { name: /returned 503$/ });
  // Large beside the present weather, and again in the pane.
  await page.getByRole('tab', { name: 'Point' }).click();
  await boxes.nth(1).waitFor();
  const sizes = await boxes.evaluateAll((all) =>
    all.map((box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]),
  );
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.flat().filter((excess) => excess > 0)).toEqual([]);
});
