// What was typed into a dialog goes once a receiver has it.
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' });

it('the dialog that sends a callback again lets go of what was edited once it is sent', async () => {
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
