// What the palette does before its file is loaded, and with callbacks that arrive.
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

it('takes what is typed while it is still loading, of which no shortcut of the screen below takes a key', async () => {
  const { page } = await openScreens();
  await page.getByRole('slider').waitFor();
  let deliver = () => {};
  const isWanted = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  let requests = 0;
  await page.route(/Palette-.*\.js/, async (route) => {
    requests += 1;
    await isWanted;
    await route.continue();
  });
  await page.reload();
  await page.locator('#rb-main').waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(() => requests).toBeGreaterThan(0);
  await page.keyboard.type('callbacks');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  deliver();
  await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('offers callbacks by number, and the newest one once there is one', async () => {
  const { page, receiverUrl } = await openScreens();
  await page.getByRole('slider').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('newest');
  const palette = page.getByRole('dialog', { name: 'Commands and places' });
  const first = palette.getByRole('option', { selected: true });
  await expect.poll(() => first.count()).toBe(1);
  await expect.poll(() => first.textContent()).not.toMatch(/^Open the newest callback/);
  await fetch(`${await receiverUrl()}/hooks/first`, { method: 'POST', body: '{}' });
  await expect.poll(() => first.textContent()).toMatch(/^Open the newest callback/);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  const run = async (text: string, title: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    const chosen = page.getByRole('dialog').getByRole('option', { selected: true });
    await expect.poll(() => chosen.textContent()).toMatch(title);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await run('1', /^Open callback 1/);
  await page.getByRole('region', { name: 'Callback', exact: true }).getByText('/hooks/first').first().waitFor();
});
