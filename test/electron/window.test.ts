// The screens in Electron's window: the real renderer over the bridged MessagePort, under app:// with its policy, and what
// a page may not do there, each through the handlers that Electron would call.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { atFileEnd, isReal, startRainbell, startSite, type Rainbell, windowCount } from './rainbell.ts';

let rainbell: Rainbell;
let page: Page;

beforeAll(async () => {
  rainbell = await startRainbell({}, atFileEnd);
  page = await rainbell.firstPage();
});

/** Keeps what would have been opened outside, instead of opening it. */
async function recordOpened(): Promise<() => Promise<string[]>> {
  await rainbell.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  return () => rainbell.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

const foreignPage = () =>
  startSite((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>foreign</title><p>foreign</p>'),
  ).then((site) => `${site}/`);

describe('the window', () => {
  it('shows the screens, which speak with core over the one port that the preload passed', async () => {
    await page.getByText(/Receiver \S+:\d+/).waitFor();
    expect(rainbell.output()).toContain('Rainbell is open in Electron.');
    expect(
      await page.evaluate(() =>
        ['require', 'process', 'electron', 'ipcRenderer', '__electronSend'].filter((name) => name in globalThis),
      ),
    ).toEqual([]);
  });

  it('runs only its own script, and makes no connections', async () => {
    const foreign = await foreignPage();
    const found = await page.evaluate(async (address) => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ranInline = true';
      document.body.append(script);
      const fetched = await fetch(address, { mode: 'no-cors' }).then(
        () => 'fetched',
        () => 'refused',
      );
      return { ranInline: 'ranInline' in globalThis, fetched };
    }, foreign);
    expect(found).toEqual({ ranInline: false, fetched: 'refused' });
  });

  it('lays out a large body in a worker of its own files', async () => {
    const shown = (await page.getByText(/Receiver \S+:\d+/).textContent()) ?? '';
    const port = /:(\d+)/.exec(shown)?.[1];
    const body = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index));
    await fetch(`http://127.0.0.1:${port}/hooks/large`, { method: 'POST', body });
    await page.getByRole('navigation').getByText('Callbacks', { exact: true }).click();
    const asked = page.waitForEvent('worker');
    await page.getByRole('option').filter({ hasText: '/hooks/large' }).click();
    expect(new URL((await asked).url()).host).toBe('rainbell');
    await page.getByRole('button', { name: 'Fold $', exact: true }).waitFor();
    await page.getByRole('navigation').getByText('Forecast', { exact: true }).click();
  });

  it('stays on its page when the page tries to navigate away, and opens web URLs in the browser', async () => {
    const opened = await recordOpened();
    const address = page.url();
    const foreign = await foreignPage();
    await page.evaluate((url) => window.location.assign(url), foreign);
    await expect.poll(opened).toEqual([foreign]);
    await page.evaluate(() => window.location.assign('rainbell-other://somewhere'));
    await page.evaluate(() => window.location.assign('http://127.0.0.1:9/second'));
    await expect.poll(opened).toEqual([foreign, 'http://127.0.0.1:9/second']);
    expect(page.url()).toBe(address);
  });

  it('opens no second window for a page, but its links in the browser', async () => {
    const opened = await recordOpened();
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: 'http://127.0.0.1:9/linked',
        target: '_blank',
        textContent: 'outside',
      });
      link.id = 'outside';
      document.body.prepend(link);
      link.click();
      window.open('http://127.0.0.1:9/popup');
      window.open('file:///etc/hostname');
    });
    await expect
      .poll(async () => (await opened()).toSorted())
      .toEqual(['http://127.0.0.1:9/linked', 'http://127.0.0.1:9/popup']);
    expect(await windowCount(rainbell)).toBe(1);
  });

  it('embeds no foreign page', async () => {
    const foreign = await foreignPage();
    await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), { src: url });
          // A refused frame is "loaded" as well.
          frame.addEventListener('load', resolve);
          document.body.append(frame);
        }),
      foreign,
    );
    expect(page.frames().map((frame) => frame.url())).not.toContain(foreign);
  });

  it('shows the icons of the forecast', async () => {
    const icon = page.getByRole('region', { name: 'Weather now' }).locator('img');
    await icon.waitFor();
    expect(
      await icon.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0);
  });
});

type Asked = {
  permissions: Record<string, { checked: boolean; requested: boolean }>;
  devices: Record<string, boolean>;
};
type SessionInside = { queryAll: (address: string) => Asked };
type AppInside = { isSandboxed: boolean };

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
  it('are those that the screens use', async () => {
    const asked = await queryEverything('', 'app://rainbell/');
    expect(granted(asked)).toEqual(['clipboard-sanitized-write']);
    expect(asked.permissions['clipboard-sanitized-write']).toEqual({ checked: true, requested: true });
    expect(asked.devices).toEqual({ hid: false, serial: false, usb: false });
  });

  it.each([
    ['a foreign page in the session of the screens', '', 'https://rainbell.example/'],
    ['a session that is created later', 'made later', 'app://rainbell/'],
  ])('are denied to %s', async (_what, partition, address) => {
    const asked = await queryEverything(partition, address);
    expect(granted(asked)).toEqual([]);
    expect(asked.devices).toEqual({ hid: false, serial: false, usb: false });
  });

  it('are requested by a sandboxed renderer, whatever options a window has', async () => {
    const isSandboxed = await rainbell.evaluate(
      ({ app }) => (app as unknown as Record<symbol, AppInside>)[Symbol.for('inside the double')]!.isSandboxed,
    );
    expect(isSandboxed).toBe(true);
  });
});

it('the clipboard accepts what a screen copies, and a screen can’t read it', async () => {
  await page.bringToFront();
  const read = page.evaluate(async () => {
    await navigator.clipboard.writeText('45.07, 7.69');
    return navigator.clipboard.readText().then(
      () => 'read',
      (error: Error) => error.name,
    );
  });
  expect(await read).toBe('NotAllowedError');
});

describe('the screens’ window', () => {
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

  it('is a secure context with its own origin, against which relative URLs and fetch resolve', async () => {
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

describe('a request for a port', () => {
  const openWith = (url: string) =>
    rainbell.evaluate(async ({ BrowserWindow }, address) => {
      const [first] = BrowserWindow.getAllWindows();
      const preload = `${process.argv[1]?.replace(/main\.js$/, '')}preload.cjs`;
      const window = new BrowserWindow({ webPreferences: { preload, sandbox: true, contextIsolation: true } });
      if (!first) throw new Error('There is no window.');
      await window.loadURL(address);
      return window.id;
    }, url);

  it('is refused to a foreign page that has our preload', async () => {
    const foreign = await foreignPage();
    await openWith(foreign);
    await expect.poll(() => rainbell.log()).toContain('it is not one of our pages');
  });

  it('is refused to our own page in a window that is not one of the screens', async () => {
    await openWith('app://rainbell/');
    await expect.poll(() => rainbell.log()).toContain('it is not one of our windows');
  });
});

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
