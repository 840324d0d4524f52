// What pages may do in Electron's windows: permissions, devices, downloads, frames, and redirects, each through the handlers
// that Electron would call.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { atFileEnd, isReal, startRainbell, startSite, type Rainbell, temporaryFolder } from './rainbell.ts';

let rainbell: Rainbell;
let page: Page;

beforeAll(async () => {
  rainbell = await startRainbell({}, atFileEnd);
  page = await rainbell.firstPage();
});

type Asked = {
  permissions: Record<string, { checked: boolean; requested: boolean }>;
  devices: Record<string, boolean>;
};
type SessionInside = { queryAll: (address: string) => Asked };
type World = { answerSaveDialog: (options: object) => string | undefined };
type AppInside = { world: World; isSandboxed: boolean };

/** What the handlers of a session say to every permission that Electron knows. */
const queryEverything = (partition: string, address: string) =>
  rainbell.evaluate(
    ({ session }, asked) => {
      const found = session.fromPartition(asked.partition) as unknown as Record<symbol, SessionInside>;
      return found[Symbol.for('inside the double')]!.queryAll(asked.address);
    },
    { partition, address },
  );

const granted = ({ permissions }: Asked) =>
  Object.entries(permissions).flatMap(([name, { checked, requested }]) => (checked || requested ? [name] : []));

describe.skipIf(isReal)('permissions', () => {
  it('the screens have only the permissions that they use', async () => {
    const asked = await queryEverything('', 'app://rainbell/');
    expect(granted(asked)).toEqual(['clipboard-sanitized-write']);
    expect(asked.permissions['clipboard-sanitized-write']).toEqual({ checked: true, requested: true });
    expect(asked.devices).toEqual({ hid: false, serial: false, usb: false });
  });

  it('permissions are denied to a foreign page in the session of the screens', async () => {
    expect(granted(await queryEverything('', 'https://rainbell.example/'))).toEqual([]);
  });

  it('permissions are denied in a session that is created later', async () => {
    const asked = await queryEverything('made later', 'app://rainbell/');
    expect(granted(asked)).toEqual([]);
    expect(asked.devices).toEqual({ hid: false, serial: false, usb: false });
  });

  it('permissions are requested by a sandboxed renderer, whatever options a window has', async () => {
    const isSandboxed = await rainbell.evaluate(
      ({ app }) => (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')]!.isSandboxed,
    );
    expect(isSandboxed).toBe(true);
  });
});

describe('the clipboard', () => {
  it('the clipboard accepts what a screen copies, and a screen can’t read it', async () => {
    const copy = (text: string) =>
      page.evaluate(async (written) => {
        await navigator.clipboard.writeText(written);
        return navigator.clipboard.readText().then(
          () => 'read',
          (error: Error) => error.name,
        );
      }, text);
    await page.bringToFront();
    expect(await copy('45.07, 7.69')).toBe('NotAllowedError');
  });
});

describe.skipIf(isReal)('a download', () => {
  const answerDialog = (path: string | null) =>
    rainbell.evaluate(({ app }, answer) => {
      const { world } = (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')]!;
      const offered: object[] = [];
      Object.assign(globalThis, { offered });
      world.answerSaveDialog = (options) => {
        offered.push(options);
        return answer ?? undefined;
      };
    }, path);
  const offered = () => rainbell.evaluate(() => (globalThis as unknown as { offered: object[] }).offered);
  const saveInPage = (name: string, content: string) =>
    page.evaluate(
      ([fileName = '', text = '']) => {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
        link.download = fileName;
        link.click();
      },
      [name, content],
    );

  it('a download of a screen is written to the path from the save dialog', async () => {
    const file = join(await temporaryFolder(), 'saved.json');
    await answerDialog(file);
    await saveInPage('rainbell-connections.json', '{"saved": true}');
    await expect.poll(() => readFile(file, 'utf8').catch(() => 'not written')).toBe('{"saved": true}');
    expect(await offered()).toMatchObject([{ title: 'Save as', filters: [{ extensions: ['json'] }] }]);
  });

  it('a download of any other page is canceled without a dialog', async () => {
    await answerDialog(join(await temporaryFolder(), 'never.exe'));
    const site = await startSite((_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename="tool.exe"').end('MZ');
    });
    const canceled = await rainbell.evaluate(async ({ BrowserWindow, session }, address) => {
      const downloads = await new Promise<boolean[]>((resolve) => {
        const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true, contextIsolation: true } });
        const seen = (event: { defaultPrevented: boolean }) => {
          session.defaultSession.off('will-download', seen);
          window.destroy();
          resolve([event.defaultPrevented]);
        };
        session.defaultSession.on('will-download', seen);
        void window.loadURL(address).catch(() => {});
      });
      return downloads;
    }, site);
    expect(canceled).toEqual([true]);
    expect(await offered()).toEqual([]);
  });
});

describe('the screens’ window', () => {
  it('doesn’t attach a webview, and gets no client certificate', async () => {
    const refused = await rainbell.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as NodeJS.EventEmitter;
      const refused: unknown[] = [];
      const event = { preventDefault: () => refused.push('prevented') };
      contents.emit('will-attach-webview', event, {}, { src: 'https://x.example' });
      contents.emit('select-client-certificate', event, 'https://a.example/', [{}], (...given: unknown[]) =>
        refused.push(given.length),
      );
      return refused;
    });
    expect(refused).toEqual(['prevented', 'prevented', 0]);
  });

  it('doesn’t follow redirects, wherever the load began', async () => {
    const asked: (string | undefined)[] = [];
    const site = await startSite((request, response) => {
      asked.push(request.url);
      if (request.url === '/start') response.writeHead(302, { location: '/away' }).end();
      else response.end('away');
    });
    const failure = await rainbell.evaluate(
      ({ BrowserWindow }, address) =>
        BrowserWindow.getAllWindows()[0]
          ?.webContents.loadURL(address)
          .then(
            () => 'loaded',
            (error: Error) => error.message,
          ),
      `${site}/start`,
    );
    expect(failure).toContain('ERR_ABORTED');
    expect(asked).toEqual(['/start']);
    await rainbell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.loadURL('app://rainbell/'),
    );
    // Below 1024 px the status bar is not shown.
    await page.getByText(/Receiver \S+:\d+/).waitFor({ state: 'attached' });
  });

  it('doesn’t give a frame inside a screen a connection to core', async () => {
    const sent = await rainbell.evaluate(({ BrowserWindow, ipcMain }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const messages: string[] = [];
      const senderFrame = {
        url: 'app://rainbell/',
        detached: false,
        parent: contents?.mainFrame,
        postMessage: (channel: string) => messages.push(channel),
      };
      ipcMain.emit('rainbell-port', { sender: contents, senderFrame }, null);
      ipcMain.emit('rainbell-port', { sender: contents, senderFrame: null }, null);
      return messages;
    });
    expect(sent).toEqual([]);
    const log = await rainbell.log();
    expect(log).toContain('it is not a main frame');
    expect(log).toContain('the page is gone');
  });

  it('the screens’ window is a secure context with its own origin, against which relative URLs and fetch resolve', async () => {
    const found = await page.evaluate(async () => ({
      isSecure: isSecureContext,
      status: await fetch('/').then(
        ({ status }) => status,
        () => 'refused',
      ),
      relative: new URL('icons/x.svg', location.href).pathname,
    }));
    // The page's own policy forbids fetching; the address resolves anyway.
    expect(found).toEqual({ isSecure: true, status: 'refused', relative: '/icons/x.svg' });
  });
});

describe('the preload', () => {
  it('the preload passes the connection to core only to its own origin', async () => {
    const source = await readFile(join(projectFolder, 'dist', 'electron', 'preload.cjs'), 'utf8');
    const posted: unknown[][] = [];
    let receive = (_event: object): void => {};
    const ipcRenderer = {
      on: (_channel: string, listener: typeof receive) => (receive = listener),
      postMessage: () => {},
    };
    const window = { postMessage: (...args: unknown[]) => posted.push(args), addEventListener: () => {} };
    runInContext(source, createContext({ window, require: () => ({ ipcRenderer }), module: {}, exports: {} }));
    receive({ ports: ['port'] });
    expect(posted).toEqual([['rainbell-port', '/', ['port']]]);
  });
});
