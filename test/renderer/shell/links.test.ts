// The address of each screen has its state: Back, Forward, and Reload keep it, a link opens it.
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { interfaceOnly, some } from '../monitors/interface-only-monitors.ts';
import { openScreens } from '../screen-harness.ts';

const hashOf = (page: Page) => page.evaluate(() => location.hash);
async function expectHash(page: Page, hash: string | RegExp): Promise<void> {
  await expect.poll(() => hashOf(page)).toMatch(hash);
}
const follow = (page: Page, hash: string) => page.evaluate((wanted) => void (location.hash = wanted), hash);
const chosen = (page: Page, name: string) => page.getByRole('radio', { name, checked: true });

/** What a button puts on the clipboard. */
async function copied(page: Page, name: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

describe('the address of the forecast', () => {
  it('has place, point, tab, and zone, and Back returns to the place before', async () => {
    const { page, complaints } = await openScreens({ hash: '#/forecast?lat=-41.1&lng=-71.3' });
    // The page may first show the place of its start.
    await page.getByText('−41.1, −71.3').first().waitFor();
    const slider = page.getByRole('slider', { name: 'Forecast points' });
    await slider.focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Enter');
    const value = await slider.getAttribute('aria-valuenow');
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('utc');
    await page.keyboard.press('Escape');
    const state = /^#\/forecast\?lat=-41\.1&lng=-71\.3&at=\d{4}-.*Z&pin=1&tab=headers&zone=utc$/;
    await expectHash(page, state);
    const first = await hashOf(page);

    const field = page.getByLabel('Forecast location').first();
    await field.fill('64.5, -21.5');
    await page.keyboard.press('Enter');
    await expectHash(page, /lat=64\.5&lng=-21\.5&tab=headers/);
    await page.goBack();
    await expectHash(page, first);
    await page.getByText('−41.1, −71.3').first().waitFor();
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(value);
    await page.goForward();
    await page.getByText('64.5, −21.5').first().waitFor();
    await page.goBack();
    await expectHash(page, first);

    await page.reload();
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(value);
    await page.locator('[data-kind="pinned"]').waitFor();
    await page.getByRole('tab', { name: 'Headers', selected: true }).waitFor();
    await expectHash(page, first);

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Compare forecasts' }).click();
    await expectHash(page, /&a=fetch:\d+&b=/);
    await page.goBack();
    await slider.waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Close the comparison' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the address of the callbacks', () => {
  it('has search, open callback, and tab, and arrow keys leave no step behind', async () => {
    const { page, receiverUrl, core, complaints } = await openScreens({ hash: '#/callbacks' });
    const url = await receiverUrl();
    for (const name of ['torino', 'genova', 'torino']) {
      // In order, so that each has its number.
      // oxlint-disable-next-line no-await-in-loop
      await fetch(`${url}/hooks/${name}`, { method: 'POST', body: name });
    }
    const rows = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel('Search the callbacks').fill('path:torino');
    await expectHash(page, '#/callbacks?q=path:torino');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().click();
    await expectHash(page, '#/callbacks/3?q=path:torino');
    await page.getByText('Raw', { exact: true }).click();
    await expectHash(page, '#/callbacks/3?q=path:torino&tab=raw');
    await page.reload();
    await page.getByLabel('Raw request').first().waitFor();
    await page.getByRole('button', { name: 'Remove path:torino' }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);

    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await expectHash(page, '#/callbacks/1?q=path:torino&tab=raw');
    await page.getByRole('navigation').getByText('Settings', { exact: true }).click();
    await expectHash(page, '#/settings');
    await page.goBack();
    await expectHash(page, '#/callbacks/1?q=path:torino&tab=raw');
    await page.goBack();
    await expectHash(page, /^#\/callbacks\?q=path:torino/);
    await page.getByText('Choose a callback').waitFor();
    await page.goForward();
    await page.getByText('/hooks/torino').first().waitFor();
    expect(await copied(page, 'Copy link')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/#\/callbacks\/1\?q=path:torino&tab=raw$/,
    );
    expect((await core.client.callbacks.list({ limit: 10 })).total).toBe(3);
    expect(complaints).toEqual([]);
  });
});

describe('unread callbacks', () => {
  it('are counted in title, icon, and navigation until they are opened, even after a reload', async () => {
    const { page, receiverUrl, complaints } = await openScreens();
    await page.getByRole('slider').waitFor();
    const icon = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href);
    expect([await page.title(), await icon()]).toEqual(['Rainbell', expect.stringMatching(/rainbell-[\w-]+\.svg$/)]);
    const url = await receiverUrl();
    await Promise.all([1, 2, 3].map((body) => fetch(`${url}/hooks`, { method: 'POST', body: String(body) })));
    await expect.poll(() => page.title()).toBe('(3) Rainbell');
    expect(await icon()).toMatch(/rainbell-unread\.svg$/);
    expect((await page.request.get((await icon()) ?? '')).headers()['content-type']).toContain('image/svg+xml');
    await page.getByRole('button', { name: 'Callbacks, 3 unread' }).click();
    const rows = page.getByRole('listbox').getByRole('option');
    await rows.nth(1).click();
    await expect.poll(() => page.title()).toBe('(2) Rainbell');
    await expect.poll(() => rows.and(page.locator('[data-unread]')).count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.title()).toBe('(2) Rainbell');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click();
    await expect.poll(() => page.title()).toBe('Rainbell');
    expect(await icon()).toMatch(/rainbell-[\w-]+\.svg$/);
    expect(complaints).toEqual([]);
  });
});

describe('the address of the monitors', () => {
  it('has search, state, order, map, and the open monitor', async () => {
    const { page, complaints } = await openScreens({ routes: interfaceOnly(some(12)).routes, hash: '#/monitors' });
    await page.getByLabel('Filter the monitors').fill('precipitation_1');
    await expectHash(page, '#/monitors?q=precipitation_1');
    await page.getByRole('columnheader', { name: 'Place' }).getByRole('button').click();
    await page.getByRole('button', { name: 'precipitation_11', exact: true }).click();
    await expectHash(page, '#/monitors/precipitation_11?q=precipitation_1&sort=place');
    await page.reload();
    await page.getByRole('region', { name: 'Monitor precipitation_11' }).waitFor();
    await expect.poll(() => page.getByLabel('Filter the monitors').inputValue()).toBe('precipitation_1');
    await page.goBack();
    await page.getByRole('region', { name: 'Monitor precipitation_11' }).waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('region', { name: 'Monitor precipitation_11' }).waitFor();
    expect(await copied(page, 'Copy link')).toMatch(
      /#\/monitors\/precipitation_11\?q=precipitation_1&sort=place&via=sandbox$/,
    );

    await follow(page, '#/monitors/precipitation_99?state=failing&map=1');
    await page.getByText('precipitation_99 isn’t a monitor in this connection.').waitFor();
    await expectHash(page, '#/monitors?state=failing&map=1');
    expect(complaints).toEqual([]);
  });
});

describe('the address of the traffic', () => {
  it('has the filter, the open exchange, and its tab', async () => {
    const { page, complaints } = await openScreens({ hash: '#/traffic' });
    await page.getByLabel('Filter by URL').fill('weather');
    await page.getByText('API', { exact: true }).click();
    // Otherwise the first row may be one that the filter takes away, and the selection with it.
    await expectHash(page, '#/traffic?q=weather&kind=api');
    await page.getByRole('option').first().click();
    await page.getByText('cURL', { exact: true }).click();
    await expectHash(page, /^#\/traffic\/\d+\?q=weather&kind=api&tab=curl$/);
    const hash = await hashOf(page);
    await page.reload();
    await page.getByLabel('The request as cURL').first().waitFor();
    await chosen(page, 'API').waitFor({ state: 'attached' });
    await page.goBack();
    await page.getByText('Choose a request').waitFor();
    await page.goForward();
    await expectHash(page, hash);
    await page.getByLabel('The request as cURL').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the addresses of screens of cards', () => {
  it('have the section, and never put a connection into use', async () => {
    const { page, core, complaints } = await openScreens({ hash: '#/access/sign-in?way=password' });
    await chosen(page, 'Password').waitFor({ state: 'attached' });
    const { id } = await core.client.connections.create({
      name: 'Team',
      baseUrl: 'http://127.0.0.1:9/v2',
      authUrl: 'http://127.0.0.1:9',
      clientId: 'team',
      clientSecret: 'secret-of-team',
      isPublic: false,
      redirectUri: 'http://127.0.0.1:7777/callback',
      color: 'blue',
      scope: '',
      caPem: null,
      proxyUrl: null,
    });
    const isInView = (section: string) =>
      page.evaluate((name) => {
        const top = document.querySelector(`[data-section="${name}"]`)?.getBoundingClientRect().top;
        return top !== undefined && top >= 0 && top < window.innerHeight;
      }, section);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.reload();
    await expect.poll(() => isInView('sign-in')).toBe(true);
    await chosen(page, 'Password').waitFor({ state: 'attached' });
    for (const [hash, section] of [
      ['#/settings/about', 'about'],
      [`#/connections/${id}`, id],
      [`#/access/log?via=${id}`, 'log'],
    ] as const) {
      // One screen after the other.
      // oxlint-disable-next-line no-await-in-loop
      await follow(page, hash);
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(() => isInView(section)).toBe(true);
    }
    await expectHash(page, '#/access/log');
    await page.getByText('This link is for the connection “Team”.').waitFor();
    await page.goBack();
    await expectHash(page, `#/connections/${id}`);
    await expect.poll(() => isInView(id)).toBe(true);
    expect((await core.client.connections.list()).selectedId).toBe('sandbox');
    await page.getByRole('button', { name: 'Use Team' }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
