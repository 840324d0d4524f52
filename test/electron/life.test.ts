// The Electron host's life: one instance per data folder, a service that comes back after a crash, places and settings
// that survive a restart, and clear sentences where it cannot start.
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isReal, spawnRainbell, startRainbell, temporaryFolder, type Rainbell } from './rainbell.ts';

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
  it('ends with exit code 0 and brings the open window to the front when the folder is in use', async () => {
    const rainbell = await startRainbell();
    await rainbell.firstPage();
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

  it.skipIf(process.getuid?.() === 0)('says that a data folder cannot be written, and what to do', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o500);
    onTestFinished(() => chmod(folder, 0o700));
    await expectRefusal(join(folder, 'data'), 'cannot be written');
  });

  it('says that a data folder is a file, and what to do', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'data'), 'not a folder');
    await expectRefusal(join(folder, 'data'), 'choose another one with --data');
  });

  it('sets a garbage settings file aside and tells the person', async () => {
    const dataFolder = await temporaryFolder();
    await writeFile(join(dataFolder, 'settings.json'), '{"theme": ');
    const rainbell = await startRainbell({ dataFolder });
    const page = await rainbell.firstPage();
    await page
      .getByText(/settings file could not be read/)
      .first()
      .waitFor();
    const kept = (await readdir(dataFolder)).find((name) => name.startsWith('settings.json.unreadable'));
    expect(await readFile(join(dataFolder, kept ?? ''), 'utf8')).toBe('{"theme": ');
  });

  async function expectRefusal(dataFolder: string, words: string): Promise<void> {
    const child = spawnRainbell(['--data', dataFolder]);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = await once(child, 'exit');
    expect(said).toContain(words);
    expect(said).not.toContain('    at ');
    expect(code).toBe(3);
  }
});

describe('after a restart', () => {
  it('the window is where and as it was', async () => {
    const dataFolder = await temporaryFolder();
    const bounds = { x: 120, y: 90, width: 1000, height: 700 };
    const first = await startRainbell({ dataFolder });
    await first.firstPage();
    await first.evaluate(({ BrowserWindow }, place) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setBounds(place);
      window?.webContents.setZoomFactor(1.25);
    }, bounds);
    await first.quit();
    const second = await startRainbell({ dataFolder });
    await second.firstPage();
    await expect.poll(() => placeOf(second)).toEqual({ bounds, zoomFactor: 1.25 });
  });

  it('a place file that holds something else is passed over', async () => {
    const dataFolder = await temporaryFolder();
    await mkdir(join(dataFolder, 'electron'), { recursive: true });
    await writeFile(join(dataFolder, 'electron', 'window.json'), '{"place": {"bounds": "everywhere"}}');
    const rainbell = await startRainbell({ dataFolder });
    await rainbell.firstPage();
    expect((await placeOf(rainbell))?.bounds).toMatchObject({ width: 1280, height: 860 });
  });
});

describe.skipIf(isReal)('a start with another keyring', () => {
  it('T22: shows the screens, says what was lost, and gets new tokens', async () => {
    const dataFolder = await temporaryFolder();
    const first = await startRainbell({ dataFolder });
    const before = await first.firstPage();
    await before
      .getByText(/app token/)
      .first()
      .waitFor();
    await first.quit();
    await rm(join(dataFolder, 'electron', 'double-keyring'));
    const second = await startRainbell({ dataFolder });
    const page = await second.firstPage();
    await page
      .getByText(/app token/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText(/keyring is not the one/).count()).toBeGreaterThan(0);
  });
});

describe('the weather service', () => {
  it('runs in a process of its own and comes back after a crash', async () => {
    const rainbell = await startRainbell();
    const page = await rainbell.firstPage();
    await page
      .getByText(/app token/)
      .first()
      .waitFor();
    await expect.poll(() => serviceProcess(rainbell)).toEqual(expect.any(Number));
    const before = await serviceProcess(rainbell);
    process.kill(before ?? 0, 'SIGKILL');
    await expect.poll(() => serviceProcess(rainbell)).not.toBe(before);
    await expect.poll(() => serviceProcess(rainbell)).toEqual(expect.any(Number));
    await page.reload();
    await page
      .getByText(/app token/)
      .first()
      .waitFor();
  });
});

describe('the end', () => {
  it('while the window loads is an end like any other', async () => {
    const rainbell = await startRainbell();
    rainbell.kill('SIGTERM');
    const code = await rainbell.exited;
    expect({ code, said: code === 0 ? '' : rainbell.output() }).toEqual({ code: 0, said: '' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s leaves no process behind and exits with 0', async (signal) => {
    const rainbell = await startRainbell();
    await rainbell.firstPage();
    await expect.poll(() => serviceProcess(rainbell)).toEqual(expect.any(Number));
    const service = await serviceProcess(rainbell);
    rainbell.kill(signal);
    const code = await rainbell.exited;
    expect({ code, said: code === 0 ? '' : rainbell.output() }).toEqual({ code: 0, said: '' });
    expect(() => process.kill(service ?? 0, 0)).toThrow('ESRCH');
  });
});
