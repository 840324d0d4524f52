// What a user typed into a dialog is not lost by Escape, a click beside it or its cross: it asks first.
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from '../screen-harness.ts';

const fromMenu = (item: string, add: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('button', { name: add }).click();
};

const dialogs = [
  {
    name: 'Response rules',
    hash: '#/callbacks',
    async open(page: Page) {
      await page.getByRole('button', { name: 'Response rules: 200 by default' }).click();
      await page.getByRole('button', { name: 'Add a rule' }).click();
    },
    field: 'Responses',
  },
  {
    name: 'Forward callbacks',
    hash: '#/callbacks',
    open: fromMenu('Forward…', 'Add a URL'),
    field: 'URL',
  },
  { name: 'Receiver paths', hash: '#/callbacks', open: fromMenu('Paths…', 'Add a path'), field: 'Name' },
  {
    name: 'New connection',
    hash: '#/connections',
    open: (page: Page) => page.getByRole('button', { name: 'New connection', exact: true }).click(),
    field: 'Name',
  },
  {
    name: 'New monitor',
    hash: '#/monitors',
    open: (page: Page) => page.getByRole('button', { name: 'New monitor' }).first().click(),
    field: 'Latitude',
  },
];

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' });

describe('a dialog with something typed', () => {
  it('asks before it closes, and keeps the input', async () => {
    const { page } = await openScreens({ hash: '#/callbacks' });
    for (const { name, hash, open, field } of dialogs) {
      await page.evaluate((wanted) => void (location.hash = wanted), hash);
      await open(page);
      const dialog = page.getByRole('dialog', { name });
      const typed = dialog.getByRole('textbox', { name: field, exact: true });
      await typed.fill('47.5');
      await page.keyboard.press('Escape');
      await question(page).getByText(`Your changes in “${name}” haven’t been saved.`).waitFor();
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'detached' });
      await expect.poll(() => typed.inputValue()).toBe('47.5');
      await expect.poll(() => typed.evaluate((input) => input.matches(':focus'))).toBe(true);
      await page.mouse.click(5, 400);
      expect(await accessibilityProblems(page)).toEqual([]);
      await question(page).getByRole('button', { name: 'Keep editing' }).click();
      await expect.poll(() => typed.inputValue()).toBe('47.5');
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await question(page).getByRole('button', { name: 'Discard' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('asks if a button of a card leads elsewhere, too', async () => {
    const { page } = await openScreens({ hash: '#/callbacks' });
    await fromMenu('Paths…', 'Add a path')(page);
    const dialog = page.getByRole('dialog', { name: 'Receiver paths' });
    await dialog.getByRole('button', { name: 'Show its callbacks' }).click();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Torino');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Paths…' }).click();
    await dialog.getByRole('button', { name: 'Show its callbacks' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('lets go of what was edited of a callback once it is sent', async () => {
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
    await fetch(`${await receiverUrl()}/hooks`, { method: 'POST', body: '{}' });
    await page.getByRole('option').click();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay this callback' });
    await dialog.getByText('Edit first').click();
    await dialog.getByLabel('Body').fill('{"a":1}');
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText(/responded with 200 after/).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('closes on Cancel, and if the input was undone', async () => {
    const { page } = await openScreens({ hash: '#/connections' });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    const open = () => page.getByRole('button', { name: 'New connection', exact: true }).click();
    await open();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByLabel('Name').fill('');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
