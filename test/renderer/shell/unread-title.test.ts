// The title and the icon of the page count unread callbacks, over a real receiver.
import { describe, expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

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
