import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';
import { listen } from '#test/setup/listen.ts';

async function openWithRelease(tag: string) {
  const server = createServer((_request, response) => void response.end(JSON.stringify({ tag_name: tag })));
  const port = await listen(server);
  const latestUrl = `http://127.0.0.1:${port}/latest`;
  const source = { latestUrl, pageUrl: 'https://releases.example/rainbell' };
  return openScreens({ hash: '#/settings', releases: { source, isInstalled: false } });
}

describe('new version notice', () => {
  it('links to the release on every screen until the user skips that version', async () => {
    const { page, core } = await openWithRelease('v3.1.0');
    await page.getByText('Not checked since the app started.').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Rainbell 3.1.0 is available.').waitFor();
    await page.evaluate(() => void (location.hash = '#/forecast'));
    await page.getByRole('heading', { name: 'Settings' }).waitFor({ state: 'detached' });
    const link = page.getByRole('link', { name: 'View release' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://releases.example/rainbell/tag/v3.1.0');
    await page.getByRole('button', { name: 'Skip this version' }).click();
    await link.waitFor({ state: 'detached' });
    expect(core.host.written.at(-1)).toMatchObject({ skippedVersion: '3.1.0' });
  });

  it('says that the running version is the newest', async () => {
    const { page } = await openWithRelease('v0.0.0');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('This is the latest version.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'View release' }).count()).toBe(0);
  });
});
