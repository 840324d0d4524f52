// The dialog that copies a callback for a tool: what is shown is what gets onto the clipboard.
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

it('copies the shown code of the chosen tool, and says so', async () => {
  const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await fetch(`${await receiverUrl()}/hooks/copied`, { method: 'POST', body: '{"id":"precipitation_1"}' });
  await page.getByRole('listbox').getByRole('option').first().click();
  for (const [tool, start] of [
    ['cURL', /^curl /],
    ['HTTPie', /\bhttp /],
  ] as const) {
    await page.getByRole('button', { name: 'Copy as…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy callback 1' });
    await dialog.getByText(tool, { exact: true }).click();
    const shown = await dialog.getByLabel(`The callback as ${tool}`).textContent();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText(`Callback copied as ${tool}`).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(start);
    expect(copied).toContain('/hooks/copied');
    expect(shown?.replaceAll(/\s/g, '')).toContain(copied.replaceAll(/\s/g, ''));
  }
});
