// The command palette, at the speed of someone who knows what they want.
import { describe, expect, it } from 'vitest';
import { allCommands } from '#shared/commands/all-commands.ts';
import { openScreens } from './screen-harness.ts';

const metric = { temperatureUnit: '°C', precipitationUnit: 'mm', windUnit: 'm/s', pressureUnit: 'hPa' };

describe('shortcuts', () => {
  it('work on their screen, and not while a field or a dialog has the focus', async () => {
    const { page } = await openScreens();
    await page.getByRole('slider').waitFor();
    const place = page.getByRole('combobox', { name: 'Place of the forecast' });
    await page.keyboard.press('/');
    await expect.poll(() => place.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('T?zM');
    expect(await place.inputValue()).toMatch(/T\?zM$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await place.evaluate((field: HTMLElement) => field.blur());
    await page.keyboard.press('t');
    await page.getByRole('button', { name: 'Timeline' }).waitFor();

    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.waitFor();
    await page.keyboard.press('t');
    const groups = sheet.getByRole('heading', { level: 3 });
    // This screen's own first, then what works everywhere.
    expect((await groups.allTextContents()).slice(0, 3)).toEqual([
      'Forecast',
      'Forecast chart and table',
      'Everywhere',
    ]);
    const titles = Object.values(allCommands).filter((command) => 'keys' in command);
    expect(await sheet.locator('dt').allTextContents()).toEqual(
      expect.arrayContaining(titles.map(({ title }) => title)),
    );
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Timeline' }).count()).toBe(1);
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
  });

  it('switch zone, units, and tabs, and lead to each screen’s search', async () => {
    const { page } = await openScreens({ settings: { zone: 'place', ...metric } });
    await page.getByRole('slider').waitFor();
    const zones = page.getByRole('radiogroup', { name: 'Times are shown in' });
    await page.keyboard.press('z');
    await expect.poll(() => zones.getByRole('radio', { name: 'Mine' }).isChecked()).toBe(true);
    const screen = page.getByRole('main');
    await expect.poll(() => screen.innerText()).toMatch(/\d °C/);
    await page.keyboard.press('u');
    await page.keyboard.press('U');
    await expect.poll(() => screen.innerText()).toMatch(/\d °F/);
    await page.getByRole('radio', { name: 'Response' }).waitFor({ state: 'attached' });
    await page.keyboard.press('4');
    await expect.poll(() => page.getByRole('radio', { name: 'cURL' }).isChecked()).toBe(true);
    await page.evaluate(() => void (location.hash = '#/traffic'));
    const filter = page.getByRole('textbox', { name: 'Filter by address' });
    await filter.waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => filter.evaluate((field) => field === document.activeElement)).toBe(true);
    // Nothing of the Forecast screen is left.
    await filter.evaluate((field: HTMLElement) => field.blur());
    await page.keyboard.press('m');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});

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
