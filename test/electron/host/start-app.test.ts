// How the parts of the Electron host work together, with core, the service, and the windows replaced.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostNotice } from '#core/ports/host.ts';
import type { MenuCommands } from '#electron/shell/app-menu.ts';
import { startApp } from '#electron/start-app.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { pretendPlatform, recordLog, setProperty } from '#test/electron/without-chromium.ts';

type Options = Record<string, unknown>;

/** What each part was made with, and what was called, in order. */
const parts = vi.hoisted(() => ({
  made: {} as Record<string, unknown[]>,
  calls: [] as unknown[],
  quitsWithLast: false,
}));
const make = vi.hoisted(() => (name: string, part: unknown) => (...args: unknown[]) => {
  parts.made[name] = args;
  return part;
});
const record = vi.hoisted(
  () =>
    (name: string) =>
    (...args: unknown[]) =>
      void parts.calls.push([name, ...args]),
);

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());
vi.mock('#core/app/create-core.ts', () => ({
  createCore: async (options: unknown) => {
    parts.made['core'] = [options];
    return {
      serviceEnvironment: () => ({ RAINBELL_PROVIDER: 'simulation' }),
      connectSandbox: record('connectSandbox'),
      sandboxFailed: record('sandboxFailed'),
      serveMessagePort: record('serveMessagePort'),
      checkForUpdates: async () => void parts.calls.push(['checkForUpdates']),
      status: 'status',
      watch: 'watch',
      receiverPause: 'pause',
      pauseReceiver: 'setPause',
      close: async () => void parts.calls.push(['core closes']),
    };
  },
}));
vi.mock('#electron/host/service-host.ts', () => ({
  startServiceProcess: make('service', { close: async () => void parts.calls.push(['service closes']) }),
}));
vi.mock('#electron/host/electron-host.ts', () => ({ createElectronHost: make('host', 'the host') }));
vi.mock('#electron/screens/screen-windows.ts', () => ({
  createScreenWindows: make('windows', {
    show: record('show'),
    openAnother: record('openAnother'),
    run: record('run'),
    setZoom: record('setZoom'),
    has: 'has',
    shouldExplainClosing: () => parts.calls.push(['explains?']) === 1,
  }),
}));
vi.mock('#electron/shell/desktop-settings.ts', () => ({
  createDesktopIntegration: make('desktop', {
    shouldQuitWithLastWindow: () => parts.quitsWithLast,
  }),
}));
vi.mock('#electron/shell/app-tray.ts', () => ({
  showTray: make('tray', { disable: record('tray is disabled'), close: record('tray closes') }),
}));
vi.mock('#electron/shell/app-menu.ts', () => ({ installMenu: make('menu', undefined) }));
vi.mock('#electron/screens/screen-port.ts', () => ({ serveScreenPorts: make('ports', undefined) }));
vi.mock('#electron/system/notifications.ts', () => ({
  createNotifications: make('notifications', {
    show: (notice: HostNotice) => void parts.calls.push(['notify', notice.title]),
  }),
}));

const { app, session } = electron;
const optionsOf = (name: string) => parts.made[name]?.[0] as Options;
const clock = createManualClock();
const { log } = recordLog();
const folders = {
  dataFolder: '/data',
  profileFolder: '/data/electron',
  builtFolder: '/built',
  screensFolder: '/screens',
  iconsFolder: '/icons',
  logFile: '/data/logs/rainbell.log',
};

let running: Awaited<ReturnType<typeof startApp>>;
beforeEach(async () => {
  pretendPlatform('linux');
  parts.made = {};
  parts.quitsWithLast = false;
  app.removeAllListeners();
  session.defaultSession.protocol.unhandle('app');
  setProperty(app, 'isPackaged', true);
  setProperty(app, 'quit', () => void parts.calls.push(['quit']));
  running = await startApp({ ...folders, clock, log });
  parts.calls = [];
});

describe('the start', () => {
  it('gives core its folder, host, version, and threads', () => {
    const worker = (name: string) => pathToFileURL(join('/built', name));
    expect(optionsOf('core')).toEqual({
      dataFolder: '/data',
      clock,
      log,
      host: 'the host',
      version: app.getVersion(),
      sandbox: undefined,
      workers: {
        receiver: worker('receiver-worker.js'),
        places: worker('places-worker.js'),
        json: worker('json-worker.js'),
      },
      releases: { isInstalled: true },
    });
  });

  it('starts the service beside the app, with core’s settings, and connects both', () => {
    const { builtFolder, data, onReady, onFailed } = optionsOf('service') as {
      builtFolder: string;
      data: object;
      onReady: (introduction: string) => void;
      onFailed: (problem: string) => void;
    };
    expect([builtFolder, data]).toEqual([
      '/built',
      {
        dataFolder: '/data',
        port: 8420,
        logFile: '/data/logs/rainbell.log',
        environment: { RAINBELL_PROVIDER: 'simulation' },
      },
    ]);
    onReady('hello');
    onFailed('sorry');
    expect(parts.calls).toEqual([
      ['connectSandbox', 'hello'],
      ['sandboxFailed', 'sorry'],
    ]);
  });

  it('limits every page and session, and serves the screens in their own', async () => {
    expect(app.listenerCount('web-contents-created')).toBe(1);
    expect(app.listenerCount('session-created')).toBe(1);
    const { permissions } = session.defaultSession[inside].queryAll('app://rainbell/');
    const granted = Object.keys(permissions).filter((name) => permissions[name]?.checked);
    expect(granted).toEqual(['clipboard-sanitized-write']);
    expect(session.defaultSession.protocol.isProtocolHandled('app')).toBe(true);
    expect(optionsOf('desktop')['screensSession']).toBe(session.defaultSession);
  });

  it('tells each part its folders and the same notifications', () => {
    const notifications: unknown = expect.objectContaining({ show: expect.any(Function) as unknown });
    const { builtFolder, profileFolder, iconsFolder } = folders;
    expect(optionsOf('windows')).toEqual({ builtFolder, profileFolder, iconsFolder, notifications, clock, log });
    expect(optionsOf('host')).toMatchObject({ dataFolder: '/data', clock, log, notifications });
    expect(optionsOf('tray')).toMatchObject({
      iconsFolder: '/icons',
      status: 'status',
      watch: 'watch',
      pause: 'pause',
      setPause: 'setPause',
    });
    expect(parts.made['menu']?.[1]).toBe('/data');
  });
});

describe('a page', () => {
  it('of a screen is connected with core, and drags files out with the tray’s icon', () => {
    const { isScreenWindow, serve } = optionsOf('ports') as {
      isScreenWindow: string;
      serve: (...of: unknown[]) => void;
    };
    expect(isScreenWindow).toBe('has');
    const dragged: object[] = [];
    serve('port', { startDrag: (item: object) => void dragged.push(item) });
    const [, port, { startFileDrag }] = parts.calls[0] as [string, string, { startFileDrag: (file: string) => void }];
    startFileDrag('/tmp/callback.json');
    expect([port, dragged]).toEqual(['port', [{ file: '/tmp/callback.json', icon: join('/icons', 'tray@2x.png') }]]);
  });
});

describe('the user', () => {
  it('opens windows and screens from the tray, a notification, and the menus', () => {
    const menu = optionsOf('menu') as unknown as MenuCommands;
    const tray = optionsOf('tray') as Record<'showWindow' | 'quit', () => void> & {
      showScreen: (hash: string) => void;
    };
    tray.showWindow();
    (optionsOf('notifications') as { onClick: () => void }).onClick();
    (optionsOf('desktop') as { setZoom: (factor: number) => void }).setZoom(1.5);
    tray.showScreen('#/callbacks');
    menu.showScreen('#/help');
    menu.openWindow();
    menu.runCommand('help.keys');
    expect(parts.calls).toEqual([
      ['show'],
      ['show'],
      ['setZoom', 1.5],
      ['show', '#/callbacks'],
      ['show', '#/help'],
      ['openAnother'],
      ['run', 'help.keys'],
    ]);
    parts.calls = [];
    tray.quit();
    menu.quit();
    expect(parts.calls).toEqual([['quit'], ['quit']]);
  });

  it('sees in the settings whether there is an update', () => {
    (optionsOf('menu') as unknown as MenuCommands).checkForUpdates();
    expect(parts.calls).toEqual([['show', '#/settings'], ['checkForUpdates']]);
  });

  it('learns once that the app keeps running after the last window', () => {
    app.emit('window-all-closed');
    app.emit('window-all-closed');
    expect(parts.calls).toEqual([['explains?'], ['notify', 'Rainbell is still receiving callbacks'], ['explains?']]);
  });

  it('quits with the last window if they chose that', () => {
    parts.quitsWithLast = true;
    app.emit('window-all-closed');
    expect(parts.calls).toEqual([['quit']]);
  });
});

it('the end lets core finish with the service, while the tray shows it', async () => {
  await running.close();
  expect(parts.calls).toEqual([['tray is disabled'], ['core closes'], ['service closes'], ['tray closes']]);
});
