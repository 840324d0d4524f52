// What starts the app or brings it to the front: its command line, a second start, a link, and the Dock.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readCommand } from '#electron/launch/command-mode.ts';
import { followLaunches } from '#electron/launch/launches.ts';
import { relaunch } from '#electron/launch/relaunch.ts';
import type { ScreenWindows } from '#electron/screens/screen-windows.ts';
import { readLaunch } from '#electron/system/launch.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { setProperty } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

describe('the command line', () => {
  const launchOf = (...args: string[]) => readLaunch(args, '/work');

  it.each([
    [['--data', 'here'], '/work/here'],
    [['--data', '/there'], '/there'],
    [['--data=here'], '/work/here'],
    [['--enable-logging', '--data=/a', '--data', '/b'], '/a'],
    [['--data'], expect.stringMatching(/rainbell$/)],
    [['--data=', '--hidden'], expect.stringMatching(/rainbell$/)],
  ])('%j names the data folder %s', (args, folder) => {
    expect(launchOf(...args).dataFolder).toEqual(folder);
  });

  it.each([
    [[], undefined],
    [['--hidden'], undefined],
    [['--cli'], []],
    [
      ['--cli', 'monitors', 'list'],
      ['monitors', 'list'],
    ],
    [
      ['--no-sandbox', '--cli', '--', 'listen', '--'],
      ['listen', '--'],
    ],
    [['rainbell://x', '--cli', 'listen'], undefined],
    [['file', '--cli'], undefined],
  ])('%j is the command %j', (args, command) => {
    expect(readCommand(args)).toEqual(command);
  });
});

describe('a launch', () => {
  const { app } = electron;
  beforeEach(() => {
    for (const name of ['second-instance', 'open-url', 'activate']) app.removeAllListeners(name);
  });
  const startAgain = (data: unknown) => app.emit('second-instance', {}, [], '/', data);
  const openLink = (link: string) => {
    const event = { preventDefault: vi.fn<() => void>() };
    app.emit('open-url', event, link);
    return event.preventDefault.mock.calls.length;
  };
  const windowsOf = () => {
    const shown: (string | undefined)[] = [];
    return { shown, windows: { show: (hash?: string) => void shown.push(hash) } as ScreenWindows };
  };

  it('before the first window opens decides what that shows; the last link counts', () => {
    const launches = followLaunches('rainbell://monitors');
    startAgain({ deepLink: null });
    app.emit('activate');
    const { windows, shown } = windowsOf();
    expect(launches.lead(windows)).toBe('#/monitors');
    expect(followLaunches(undefined).lead(windows)).toBeUndefined();
    const later = followLaunches('rainbell://monitors');
    expect(openLink('rainbell://callbacks')).toBeGreaterThan(0);
    expect(later.lead(windows)).toBe('#/callbacks');
    expect(later.lead(windows)).toBeUndefined();
    expect(shown.filter((hash) => hash !== '#/callbacks')).toEqual([]);
    // Of a program that is not ours.
    shown.length = 0;
    for (const data of [null, { deepLink: 7 }, { deepLink: `rainbell://${'x'.repeat(100_000)}` }]) startAgain(data);
    expect(new Set(shown)).toEqual(new Set([undefined]));
  });

  it('while the app quits opens nothing', () => {
    const launches = followLaunches(undefined);
    const { windows, shown } = windowsOf();
    launches.end();
    // The start may finish while the app quits.
    expect(launches.lead(windows)).toBeUndefined();
    startAgain({ deepLink: null });
    openLink('rainbell://new');
    app.emit('activate');
    expect(shown).toEqual([]);
  });
});

describe('a restart', () => {
  const { app } = electron;

  /** Replaces an AppImage: writes down how it was started. */
  function makeAppImage() {
    const folder = temporaryFolder();
    const [file, started] = [join(folder, 'Rainbell.AppImage'), join(folder, 'started')];
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > "${started}.part" && mv "${started}.part" "${started}"\n`);
    chmodSync(file, 0o755);
    return { file, started: () => (existsSync(started) ? readFileSync(started, 'utf8') : undefined) };
  }

  it.runIf(process.platform === 'linux')('of an AppImage starts its file when the app has quit', async () => {
    const { file, started } = makeAppImage();
    vi.stubEnv('APPIMAGE', file);
    vi.stubEnv('APPDIR', dirname(process.execPath));
    setProperty(process, 'argv', ['/app', '--data', '/a folder']);
    relaunch();
    expect(started()).toBeUndefined();
    app.emit('quit', {}, 0);
    await expect.poll(started).toBe('--data\n/a folder\n');
    vi.unstubAllEnvs();
  });

  it('of any other program is Electron’s, even if another app’s AppImage started it', () => {
    const { file } = makeAppImage();
    vi.stubEnv('APPIMAGE', file);
    vi.stubEnv('APPDIR', dirname(file));
    const before = app[inside].relaunches.length;
    setProperty(process, 'argv', ['/app', '--data', '/d']);
    relaunch();
    expect(app[inside].relaunches.slice(before)).toEqual([['--data', '/d']]);
    vi.unstubAllEnvs();
  });
});
