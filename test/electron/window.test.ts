// The screens in Electron's window: the real renderer over the bridged MessagePort, under app:// with its policy, and what
// a page may not do there.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { injectImages, startListener } from '#test/setup/image-leaks.ts';
import { atFileEnd, startRainbell, startSite, type Rainbell, windowCount } from './rainbell.ts';

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
    await page.getByText('Showing the first 5,000 lines.').waitFor();
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

  it('sends no image request to any host, whatever HTML is injected', async () => {
    const listener = await startListener();
    await injectImages(page, listener);
    expect(listener.connections()).toBe(0);
  });

  it('shows the icons of the forecast', async () => {
    const icon = page.getByRole('region', { name: 'Weather now' }).locator('img');
    await icon.waitFor();
    expect(
      await icon.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0);
  });

  it('has a policy that allows neither pictures from the network nor inline styles without its nonce', async () => {
    const response = await page.reload();
    const policy = (await response?.allHeaders())?.['content-security-policy'] ?? '';
    const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'(?:;|$)/.exec(policy) ?? [];
    expect(nonce).not.toBe('');
    expect(policy).toContain("; img-src 'self' data:; ");
    expect(policy).not.toContain('unsafe');
    expect(await page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce)).toBe(
      nonce,
    );
    await page.getByText(/Receiver \S+:\d+/).waitFor();
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
