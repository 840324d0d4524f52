// The command palette, at the speed of someone who knows what they want.
import { describe, expect, it } from 'vitest';
import { allCommands } from '#shared/commands/all-commands.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

const metric = { temperatureUnit: '°C', precipitationUnit: 'mm', windUnit: 'm/s', pressureUnit: 'hPa' };

describe('shortcuts', () => {
  it('work on their screen, and not while a field or a dialog has the focus', async () => {
    const { page } = await openScreens();
    await page.getByRole('slider').waitFor();
    const place = page.getByRole('combobox', { name: 'Forecast location' });
    await page.keyboard.press('/');
    await expect.poll(() => place.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('T?zM');
    await expect.poll(() => place.inputValue()).toMatch(/T\?zM$/);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    // The field is left before the frame in which Escape selects its text: the focus must not come back.
    const hasFocus = await place.evaluate(async (field: HTMLElement) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      field.blur();
      for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.activeElement === field;
    });
    expect(hasFocus).toBe(false);
    await page.keyboard.press('t');
    await page.getByRole('region', { name: 'Forecast points as a table' }).waitFor();

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
    await expect
      .poll(() => sheet.locator('dt').allTextContents())
      .toEqual(expect.arrayContaining(titles.map(({ title }) => title)));
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('region', { name: 'Forecast points as a table' }).count()).toBe(1);
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
  });

  it('switch zone, units, and tabs, and lead to each screen’s search', async () => {
    const { page } = await openScreens({ settings: { zone: 'place', ...metric } });
    await page.getByRole('slider').waitFor();
    const zones = page.getByRole('combobox', { name: 'Time zone' });
    await page.keyboard.press('z');
    await expect.poll(() => zones.inputValue()).toBe('mine');
    const screen = page.getByRole('main');
    await expect.poll(() => screen.innerText()).toMatch(/\d °C/);
    await page.keyboard.press('u');
    await page.keyboard.press('U');
    await expect.poll(() => screen.innerText()).toMatch(/\d °F/);
    await page.keyboard.press('4');
    await page.getByRole('tab', { name: 'cURL', selected: true }).waitFor();
    await page.evaluate(() => void (location.hash = '#/traffic'));
    const filter = page.getByRole('textbox', { name: 'Filter by URL' });
    await filter.waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => filter.evaluate((field) => field === document.activeElement)).toBe(true);
    // Nothing of the Forecast screen is left.
    await filter.evaluate((field: HTMLElement) => field.blur());
    await page.keyboard.press('m');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });
});

describe('the palette', () => {
  it('goes to a screen by its name, typed at once, slowly, or before it is loaded', async () => {
    const { page } = await openScreens();
    await page.getByRole('slider').waitFor();
    for (const delay of [0, 100]) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('callbacks', { delay });
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('go forecast', { delay });
      await page.keyboard.press('Enter');
      await page.getByRole('slider').waitFor();
    }
    // Nor does a shortcut of the screen below take what is typed while the palette is still loading.
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
});

describe('the help', () => {
  it('opens by F1, finds a section by words, and keeps it over a reload', async () => {
    const { page, complaints } = await openScreens();
    await page.getByRole('slider').waitFor();
    await page.keyboard.press('F1');
    await page.getByRole('heading', { name: 'First minute' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('/');
    const hit = page.getByRole('button', { name: /Use HTTPS/ });
    await page.keyboard.type('CA certificate');
    await hit.waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('certifcate authority');
    await hit.press('Enter');
    const heading = page.getByRole('heading', { name: 'Use HTTPS' });
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(page.url()).toMatch(/#\/help\/receiver\?at=use-https$/);
    await page.reload();
    await heading.waitFor();
    // Back leads to the search as it was left.
    await page.goBack();
    await hit.waitFor();
    await page.evaluate(() => void (location.hash = '#/help/no-such-page'));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is in the palette, with settings and callbacks by number, and with what a callback makes possible while it is open', async () => {
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
    const problems: string[] = [];
    const run = async (text: string, title: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      const chosen = page.getByRole('dialog').getByRole('option', { selected: true });
      await expect.poll(() => chosen.textContent()).toMatch(title);
      problems.push(...(text === '1' ? await accessibilityProblems(page) : []));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await run('1', /^Open callback 1/);
    await page.getByRole('region', { name: 'Callback', exact: true }).getByText('/hooks/first').first().waitFor();
    expect(problems).toEqual([]);
    await run('density', /^Density.*Settings/);
    await expect.poll(() => page.url()).toMatch(/#\/settings\/appearance/);
    await run('choose how receiver responds', /^Choose how the receiver responds/);
    await page.getByRole('heading', { name: 'Choose how the receiver responds' }).waitFor();
    await run('about rainbell', /^About Rainbell/);
    await page.getByRole('heading', { name: 'About Rainbell' }).waitFor();
    await page.getByRole('button', { name: /^fastify \d/ }).click();
    await page
      .getByText(/Permission is hereby granted/)
      .first()
      .waitFor();
  });
});

it('gives what is typed right after a command to the field that the command leads to', async () => {
  const { page } = await openScreens();
  await page.getByRole('slider').waitFor();
  const options = page.getByRole('dialog', { name: 'Commands and places' }).getByRole('option');
  // Without callbacks there is nothing to search.
  const { 'callbacks.search': _, ...others } = allCommands;
  const leading = Object.values(others).filter((command) => 'focusesField' in command);
  expect(leading.length).toBeGreaterThan(4);
  // From another screen, as most of these screens are loaded for the first time.
  for (const { title } of leading) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(title);
    // A search for the same words is offered, too.
    await options.filter({ hasText: title, hasNotText: '“' }).first().click();
    await page.keyboard.type('zq');
    const typed = () =>
      page.evaluate(() => (document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null));
    await expect.poll(typed, { message: title }).toMatch(/zq$/);
  }
});
