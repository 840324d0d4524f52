// The command palette, at the speed of someone who knows what they want.
import { describe, expect, it } from 'vitest';
import { openScreens } from './screen-harness.ts';

describe('the palette', () => {
  it('goes to a screen by its name, typed at once or slowly', async () => {
    const { page } = await openScreens();
    await page.getByRole('slider').waitFor();
    for (const delay of [0, 100]) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('callbacks', { delay });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('go forecast', { delay });
      await page.keyboard.press('Enter');
      await page.getByRole('slider').waitFor();
    }
  });

  it('takes what is typed while it is still loading, and no shortcut of the screen below does', async () => {
    const { page } = await openScreens();
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
    expect(await page.getByRole('dialog').count()).toBe(0);
    deliver();
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
