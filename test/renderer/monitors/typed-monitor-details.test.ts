// What a user types into a monitor's details meets their own writes, which core compares with the service's list.
import { expect, it } from 'vitest';
import { interfaceOnly, openMonitors, some } from './interface-only-monitors.ts';

it('what was typed into the details stays beside an action on many and “Set callback URL to this app”', async () => {
  const { routes, stored } = interfaceOnly(some(1));
  const { page } = await openMonitors(routes);
  await page.getByRole('button', { name: 'precipitation_1', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Monitor precipitation_1' });
  await panel.getByText('Edit', { exact: true }).click();
  const ways: readonly (() => Promise<void>)[] = [
    () => panel.getByRole('button', { name: 'Set callback URL to this app' }).click(),
    async () => {
      await page.getByRole('checkbox', { name: /precipitation_1/ }).check();
      await page.getByRole('button', { name: 'Set callback URL…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: /^Set/ }).click();
    },
  ];
  for (const [index, write] of ways.entries()) {
    const lat = 12.5 + index;
    const before = stored.get('precipitation_1')?.callback_uri;
    await panel.getByLabel('Latitude').fill(String(lat));
    await write();
    await expect.poll(() => stored.get('precipitation_1')?.callback_uri).not.toBe(before);
    const written = stored.get('precipitation_1')?.callback_uri ?? '';
    await expect.poll(() => panel.getByLabel('Callback URL').inputValue()).toBe(written);
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect.poll(() => stored.get('precipitation_1')).toMatchObject({ lat, callback_uri: written });
  }
});
