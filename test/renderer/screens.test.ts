// The screens as people use them: in a real Chromium, by mouse and by keys, with axe looking at every state.
import { describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openScreens } from './screen-harness.ts';

// A browser on a busy machine is slow, and axe looks at every element.
vi.setConfig({ testTimeout: 60_000 });

describe('the forecast screen', () => {
  it('draws the timeline, is walked by keys, and speaks each point', async () => {
    const { page, complaints } = await openScreens();
    const slider = page.getByRole('slider', { name: 'Points of the forecast' });
    await slider.focus();
    expect(await slider.getAttribute('aria-valuemax')).toBe('73');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuenow')).toBe('2');
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuenow')).toBe('73');
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/partly cloudy, (day|night), now$/);
    await page.keyboard.press('t');
    await page.getByRole('region', { name: 'Forecast points as a table' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(73);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('t');
    await slider.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is accessible in the dark too', async () => {
    const { page } = await openScreens({ settings: { theme: 'dark' } });
    await page.getByRole('slider').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('shows the point’s bytes as received', async () => {
    const { page } = await openScreens({
      routes: {
        'GET /v2/weather/': () => ({
          body: `{"meta":{},"objects":[ {"sun_altitude": 1.50e1, "timestamp":"2026-11-21T00:00:00", "weather":{"status":"sunny"},"geo":{"type":"Point","coordinates":[7.70,45.10]},"icon":"http://127.0.0.1:1/v2/icons/sunny"} ]}`,
          headers: { 'content-type': 'application/json' },
        }),
      },
    });
    await page.getByRole('switch', { name: 'as received' }).click();
    const text = await page.getByRole('region', { name: 'The point as JSON' }).innerText();
    expect(text.trim()).toBe(
      '{"sun_altitude": 1.50e1, "timestamp":"2026-11-21T00:00:00", "weather":{"status":"sunny"},"geo":{"type":"Point","coordinates":[7.70,45.10]},"icon":"http://127.0.0.1:1/v2/icons/sunny"}',
    );
  });

  it.each([
    ['one point', { count: 1 }],
    ['300 points', { count: 300, stepMs: 900_000 }],
    ['a polar night', { sunShift: -70 }],
    ['a polar day', { sunShift: 70 }],
    ['no measured values', { hasMeasured: false }],
  ])('bears %s', async (_name, weather) => {
    const { page, complaints } = await openScreens({ weather });
    const slider = page.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d\d:\d\d, /);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keeps old data and says so when the service falls, and recovers with Retry', async () => {
    let isDown = false;
    const { page, service } = await openScreens();
    const answer = service.routes['GET /v2/weather/'];
    service.routes['GET /v2/weather/'] = (request, count) =>
      isDown || !answer
        ? { status: 500, body: { error: 'server_error', error_description: 'The disk is full' } }
        : answer(request, count);
    await page.getByRole('slider').waitFor();
    isDown = true;
    await page.keyboard.press('F5');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/The forecast could not be fetched[\s\S]*Below stands the forecast of/);
    expect(await page.getByRole('slider').count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    isDown = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'detached' });
  });
});

describe('the frame', () => {
  it('opens the palette with Ctrl K and goes where one says', async () => {
    const { page } = await openScreens();
    await page.getByRole('slider').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).fill('go callb');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('says that a restarted host does not know this window any more, and what to open', async () => {
    const { page, core, restartServer } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    const status = core.core.status();
    await restartServer();
    // The restarted server knows no session of this page: only its newest address helps, and the page says that.
    await page.getByText('does not know this window').waitFor();
    expect(status.receiver.state).toBe('listening');
  });
});
