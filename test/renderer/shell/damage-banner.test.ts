// The report of a damaged database in the built screens: on every screen, until the user hides it for good.
import { mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { Host } from '#core/ports/host.ts';
import { screens, screenTitles } from '#renderer/store/screens.ts';
import { createMemoryHost, startCore } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { openStore } from '#test/storage/app-store.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { openScreens } from '../screen-harness.ts';

function emptiedFolder(): string {
  const store = openStore();
  store.close();
  truncateSync(store.file, 0);
  return store.folder;
}

const bannerIn = (page: Page) => page.locator('[data-damage]');

describe('the report of a damaged database', () => {
  it('is on every screen, fits a narrow window, and stays hidden after a restart', async () => {
    const dataFolder = emptiedFolder();
    const { page, core } = await openScreens({ dataFolder });
    const banner = bannerIn(page);
    for (const screen of screens) {
      // Help is opened from the header, not from the navigation.
      const place = page.getByRole(screen === 'help' ? 'banner' : 'navigation');
      const item = place.getByRole('button', { name: new RegExp(`^${screenTitles[screen]}\\b`) });
      await item.click();
      await item.and(page.locator('[aria-current="page"]')).waitFor();
      await expect.poll(() => banner.innerText()).toContain('was damaged: the file was empty.');
    }
    await page.setViewportSize({ width: 640, height: 800 });
    const box = await banner.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(640);
    await page.getByRole('button', { name: 'Hide report' }).click();
    await banner.waitFor({ state: 'detached' });
    await core.close();

    const again = await startCore({ dataFolder });
    expect((await again.client.app.status()).damage).toEqual([]);
  });

  it('comes before what is less bad, which is one press away', async () => {
    const host = { ...createMemoryHost(), notices: () => ['Tokens are stored without encryption.'] };
    const { page } = await openScreens({ dataFolder: emptiedFolder(), host });
    const less = page.getByText('Tokens are stored without encryption.');
    await bannerIn(page).waitFor();
    await expect.poll(() => less.count()).toBe(0);
    await page.getByRole('button', { name: '1 more notice' }).press('Enter');
    await less.waitFor();
    await page.getByRole('button', { name: 'Show only the first' }).press('Enter');
    await less.waitFor({ state: 'detached' });
  });

  it('stays with a message if it cannot be hidden', async () => {
    const dataFolder = emptiedFolder();
    const { page, core } = await openScreens({ dataFolder });
    const [report] = core.core.status().damage;
    // A folder that holds something takes the place of the hidden report's file.
    mkdirSync(join(report?.folder ?? '', 'report.acknowledged.json', 'full'), { recursive: true });
    await page.getByRole('button', { name: 'Hide report' }).click();
    await page.getByText('Couldn’t hide the report:').waitFor();
    await expect.poll(() => bannerIn(page).count()).toBe(1);
    rmSync(join(report?.folder ?? '', 'report.acknowledged.json'), { recursive: true });
    await page.getByRole('button', { name: 'Hide report' }).click();
    await bannerIn(page).waitFor({ state: 'detached' });
  });

  it('found while running restarts the app if its host can', async () => {
    let restarts = 0;
    const banner = await openAndDamage({ restart: () => void (restarts += 1) });
    await banner.getByRole('button', { name: 'Restart Rainbell' }).click();
    await expect.poll(() => restarts).toBe(1);
  });

  it('found while running says how to restart from a terminal', async () => {
    const banner = await openAndDamage({});
    await expect.poll(() => banner.innerText()).toContain('Press Ctrl+C in the terminal where Rainbell is running');
    await expect.poll(() => banner.getByRole('button').count()).toBe(0);
  });
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
