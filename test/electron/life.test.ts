// The Electron host's life: one instance per data folder, a service that restarts after a crash, places and settings that survive a
// restart, and clear sentences if it cannot start. One app serves all tests, and then the next start on its data folder.
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAppProcess } from '#test/stories/app-process.ts';
import { atFileEnd, isReal, spawnRainbell, startRainbell, temporaryFolder, type Rainbell } from './rainbell.ts';

/** There a signal ends a process before it can close anything, and no mode makes a folder read-only. */
const isWindows = process.platform === 'win32';
let rainbell: Rainbell;
let page: Page;

beforeAll(async () => {
  const dataFolder = await temporaryFolder(atFileEnd);
  await writeFile(join(dataFolder, 'settings.json'), '{"theme": ');
  rainbell = await startRainbell({ dataFolder }, atFileEnd);
  page = await rainbell.firstPage();
});

const placeOf = (rainbell: Rainbell) =>
  rainbell.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window && { bounds: window.getNormalBounds(), zoomFactor: window.webContents.getZoomFactor() };
  });

const serviceProcess = (rainbell: Rainbell) =>
  rainbell.evaluate(
    ({ app }) => app.getAppMetrics().find(({ serviceName }) => serviceName === 'Rainbell weather service')?.pid,
  );

describe('a start', () => {
  it('opens a window of the default size, or as large as a smaller display', async () => {
    const area = await rainbell.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea);
    const size = { width: Math.min(1280, area.width), height: Math.min(860, area.height) };
    expect((await placeOf(rainbell))?.bounds).toMatchObject(size);
  });

  it('backs up a damaged settings file and shows that', async () => {
    await page
      .getByText(/settings file could not be read/)
      .first()
      .waitFor();
    const { dataFolder } = rainbell;
    const kept = (await readdir(dataFolder)).find((name) => name.startsWith('settings.json.unreadable'));
    expect(await readFile(join(dataFolder, kept ?? ''), 'utf8')).toBe('{"theme": ');
  });

  it('ends with exit code 0 and brings the open window to the front when the folder is in use', async () => {
    await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    const second = spawnRainbell(['--data', rainbell.dataFolder]);
    let said = '';
    second.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = await once(second, 'exit');
    expect(code).toBe(0);
    expect(said).toContain('already open');
    await expect
      .poll(() =>
        rainbell.evaluate(({ BrowserWindow }) => {
          const [window, ...others] = BrowserWindow.getAllWindows();
          return { minimized: window?.isMinimized(), others: others.length };
        }),
      )
      .toEqual({ minimized: false, others: 0 });
  });

  it('says that it has no URL for a browser if the browser host starts on its folder', async () => {
    await expect(startAppProcess(rainbell.dataFolder)).rejects.toThrow('has no URL for a browser');
  });

  it('opens a fresh address of the browser host if that one has the folder', async () => {
    const folder = await temporaryFolder();
    const running = await startAppProcess(folder);
    const desktop = spawnRainbell(['--data', folder]);
    let said = '';
    desktop.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    expect((await once(desktop, 'exit'))[0]).toBe(0);
    const url = /http:\S+/.exec(said)?.[0] ?? '';
    expect(new URL(url).origin).toBe(new URL(running.url).origin);
    expect(url).not.toBe(running.url);
    await running.stop();
  });

  it.skipIf(isWindows)('reports a read-only data folder, and what to do', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o555);
    onTestFinished(() => chmod(folder, 0o700));
    // Root may write everywhere, so the app then runs as Debian's unprivileged user.
    const user = process.getuid?.() === 0 ? 65_534 : undefined;
    const child = spawnRainbell(['--data', join(folder, 'data')], process.env, user);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = await once(child, 'exit');
    expect(said).toMatch(/cannot be written.*choose another one with --data/s);
    expect(said).not.toContain('    at ');
    expect(code).toBe(3);
  });
});

describe('the weather service', () => {
  it('runs in a process of its own and restarts after a crash', async () => {
    const token = page.getByText(/Application token: \d/).first();
    await token.waitFor();
    await expect.poll(() => serviceProcess(rainbell)).toEqual(expect.any(Number));
    const before = await serviceProcess(rainbell);
    process.kill(before ?? 0, 'SIGKILL');
    await expect.poll(() => serviceProcess(rainbell)).not.toBe(before);
    await expect.poll(() => serviceProcess(rainbell)).toEqual(expect.any(Number));
    await page.reload();
    await token.waitFor();
  });
});

/**
 * Sends the signal, or quits on Windows; resolves with the exit code and what the app wrote if that is not 0, once its service is gone
 * as well.
 */
async function endBy(signal: 'SIGTERM' | 'SIGINT', running: Rainbell) {
  const service = await serviceProcess(running);
  if (service === undefined) throw new Error('The weather service is not running.');
  if (isWindows) await running.quit();
  else running.kill(signal);
  const code = await running.exited;
  expect(() => process.kill(service, 0)).toThrow('ESRCH');
  return { code, output: code === 0 ? '' : running.output() };
}

describe.skipIf(isWindows)('the end', () => {
  it('while the window loads is like any other', async () => {
    const loading = await startRainbell();
    loading.kill('SIGTERM');
    const code = await loading.exited;
    expect({ code, output: code === 0 ? '' : loading.output() }).toEqual({ code: 0, output: '' });
  });
});

describe('an end by a signal, and the next start with another keyring', () => {
  // Fits the small displays of CI machines.
  const bounds = { x: 100, y: 60, width: 880, height: 620 };
  let ended: Awaited<ReturnType<typeof endBy>>;
  let next: Rainbell;
  let nextPage: Page;

  beforeAll(async () => {
    // Stored tokens are what the next start cannot read.
    await page
      .getByText(/Application token: \d/)
      .first()
      .waitFor();
    await rainbell.evaluate(({ BrowserWindow }, place) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setBounds(place);
      window?.webContents.setZoomFactor(1.25);
    }, bounds);
    ended = await endBy('SIGTERM', rainbell);
    await rm(join(rainbell.dataFolder, 'electron', 'double-keyring'), { force: true });
    next = await startRainbell({ dataFolder: rainbell.dataFolder }, atFileEnd);
    nextPage = await next.firstPage();
  });

  it('leaves no process behind and exits with 0', () => {
    expect(ended).toEqual({ code: 0, output: '' });
  });

  it('restores the window’s place and zoom', async () => {
    await expect.poll(() => placeOf(next)).toEqual({ bounds, zoomFactor: 1.25 });
  });

  it.skipIf(isReal)('shows what was lost, and gets new tokens', async () => {
    // Hidden in this narrow window.
    await nextPage
      .getByText(/Application token: \d/)
      .first()
      .waitFor({ state: 'attached' });
    await expect.poll(() => nextPage.getByText(/keyring is not the one/).count()).toBeGreaterThan(0);
  });

  it.skipIf(isWindows)('ends by SIGINT in the same way', async () => {
    expect(await endBy('SIGINT', next)).toEqual({ code: 0, output: '' });
  });
});
