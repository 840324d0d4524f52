// A database that is damaged while the app runs, from the receiver to the screens.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Locator } from 'playwright';
import type { Host } from '#core/ports/host.ts';
import { createMemoryHost } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { openScreens } from '../screen-harness.ts';

it('damage that is found while the app runs is reported, and restarts the app if its host can', async () => {
  let restarts = 0;
  const banner = await openAndDamage({ restart: () => void (restarts += 1) });
  await banner.getByRole('button', { name: 'Restart Rainbell' }).click();
  await expect.poll(() => restarts).toBe(1);
});

/** Opens the screens, takes the database away, and returns the banner that says so. */
async function openAndDamage(hostParts: Pick<Host, 'restart'>): Promise<Locator> {
  const dataFolder = temporaryFolder();
  const receiverPort = await freePort();
  const { page, core } = await openScreens({
    dataFolder,
    host: { ...createMemoryHost({ receiverPort }), ...hostParts },
  });
  const { baseUrl } = (await core.statusWhere(({ receiver }) => receiver.state === 'listening')).receiver;
  renameSync(join(dataFolder, 'app.sqlite'), join(dataFolder, 'elsewhere'));
  expect((await fetch(`${baseUrl}/`, { method: 'POST', body: '{}' })).status).toBe(503);
  const banner = page.locator('[data-damage="pending"]');
  await banner.getByText('the file was removed while it was in use').waitFor();
  return banner;
}
