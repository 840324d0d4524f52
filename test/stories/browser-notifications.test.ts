// Notifications in a browser: a real Chromium that the user allowed to show them. A headless one shows nothing, so the page's
// Notification constructor is observed, and its click is sent as the browser would.
import type { BrowserContext, Page } from 'playwright';
import { expect, it } from 'vitest';
import { monitorBody } from '#test/core/callbacks/callback-harness.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { openScreens } from './screen-harness.ts';

type Observed = { shown: { title: string; body: string; notification: Notification }[] };

function observe(): void {
  const shown: Observed['shown'] = [];
  Object.assign(globalThis, { shown });
  class ObservedNotification extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      shown.push({ title, body: options?.body ?? '', notification: this });
    }
  }
  Object.defineProperty(globalThis, 'Notification', { value: ObservedNotification });
}

const shownIn = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Observed).shown.map(({ title, body }) => `${title} | ${body}`));

async function allow(context: BrowserContext, origin: string): Promise<void> {
  await context.grantPermissions(['notifications'], { origin });
}

it('shows an event in exactly one of several tabs, and a click opens its callback there', async () => {
  const screens = await openScreens({ hasOwnPage: true, browser: 'whole' });
  const { page, core, service } = screens;
  // Without a signature, only what comes to a monitor's own callback URL counts as its event.
  const body = monitorBody('precipitation_1', `${await screens.receiverUrl()}/a`);
  service.routes['GET /v2/monitors/'] = () => ({ body: { objects: [body], meta: {} } });
  // A list that was requested before has no monitor.
  await expect.poll(async () => (await core.client.monitors.list()).monitors.length).toBe(1);
  // A reload before the page has its session would send the used ticket again.
  await page.getByRole('slider', { name: 'Forecast points' }).waitFor();
  const { origin } = new URL(page.url());
  const context = page.context();
  await allow(context, origin);
  await context.addInitScript(observe);
  // Each while it is in front: in a tab behind others, Chromium draws no frames, with which Playwright waits.
  const isReady = (tab: Page) => tab.getByRole('button', { name: 'Monitors, 1 monitor' }).waitFor();
  await page.reload();
  await isReady(page);
  const second = await context.newPage();
  await second.goto(`${origin}/#/traffic`);
  await isReady(second);
  // Another browser without a permission does not affect those with one.
  const other = await (await newBrowserContext({}, 'whole')).newPage();
  await other.addInitScript(observe);
  await other.goto(screens.newAddress());
  await isReady(other);
  await fetch(body.callback_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const all = async () => [...(await shownIn(page)), ...(await shownIn(second)), ...(await shownIn(other))];
  await expect.poll(all).toHaveLength(1);
  expect((await all())[0]).toMatch(/^Precipitation near .* \| Monitor: precipitation_1\./);
  expect(await shownIn(other)).toEqual([]);
  await core.client.notifications.sendTest();
  await expect.poll(all).toHaveLength(2);
  const tab = (await shownIn(page)).some((words) => words.startsWith('Precipitation')) ? page : second;
  await tab.evaluate(() => {
    const { shown } = globalThis as unknown as Observed;
    shown.find(({ title }) => title.startsWith('Precipitation'))?.notification.dispatchEvent(new Event('click'));
  });
  await expect.poll(() => tab.url()).toContain('#/callbacks');
  await tab.bringToFront();
  await tab.getByRole('heading', { name: 'POST /a' }).waitFor();
});
