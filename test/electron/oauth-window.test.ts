// The OAuth window in real Chromium: every ending is one distinct result, and the redirect is caught before it is loaded,
// from a server's redirect, a script and a link; to dead ports and private schemes. sign-in/popups.test.ts has the popups.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as Electron from 'electron';
import type { Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DialogOutcome } from '#core/ports/host.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import type { DialogQuestion } from './dialog-main.ts';
import { atFileEnd, isReal, startRainbell, startSite, windowCount, type Rainbell } from './rainbell.ts';

type Globals = {
  openDialog: (question: DialogQuestion) => Promise<DialogOutcome>;
  stopDialog: () => void;
  clearBrowserSession: (connectionId: string) => Promise<void>;
  redirects: object[];
};

const deadRedirect = 'http://127.0.0.1:9/cb';

describe.skipIf(isReal)('the OAuth window', () => {
  let rainbell: Rainbell;
  beforeAll(async () => {
    rainbell = await startRainbell({ main: 'test/electron/dialog-main.ts' }, atFileEnd);
  });
  // What a failed test left open would be counted by the next ones.
  afterEach(() =>
    rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((one) => one.destroy())),
  );

  const openDialog = (question: Partial<DialogQuestion> & { authorizationUrl: string }) =>
    rainbell.evaluate((_electron, asked) => (globalThis as unknown as Globals).openDialog(asked), {
      redirectUri: deadRedirect,
      limitMs: 60_000,
      ...question,
    });
  const dialogPage = async (site: string): Promise<Page> => {
    const addresses = () => rainbell.pages().map((page) => page.url());
    await expect.poll(addresses).toContainEqual(expect.stringContaining(site));
    const page = rainbell.pages().find((candidate) => candidate.url().startsWith(site));
    if (!page) throw new Error(`The page of ${site} closed.`);
    await page.waitForLoadState();
    return page;
  };

  it.each([
    ['a code to a dead port', 'http://127.0.0.1:9/cb', '?state=s1&code=c1'],
    ['a token in the fragment', 'http://127.0.0.1:9/cb', '#state=s1&access_token=t1&expires_in=3600'],
    ['a private scheme', 'com.example.app:/cb', '?state=s1&code=c1'],
    ['our own scheme', 'rainbell://signed-in', '?state=s1&code=c1'],
    ['a host that does not exist', 'https://app.example.invalid/cb', '?state=s1&code=c1'],
  ])('catches %s from a redirect of the server (docs/tokens.md T3)', async (_what, redirectUri, answer) => {
    const site = await startSite((_request, response) => redirect(response, `${redirectUri}${answer}`));
    const outcome = await openDialog({ authorizationUrl: `${site}/oauth/authorize/`, redirectUri });
    expect(outcome).toEqual({ kind: 'redirected', url: `${redirectUri}${answer}` });
    expect(await windowCount(rainbell)).toBe(0);
  });

  it.each([
    ['a script', (target: string) => `<script>location.href = ${JSON.stringify(target)}</script>`],
    ['a meta element', (target: string) => `<meta http-equiv="refresh" content="0;url=${target}">`],
  ])('catches the answer from %s', async (_what, page) => {
    const target = `${deadRedirect}?state=s1&code=c1`;
    const site = await startSite((_request, response) => html(response, page(target)));
    expect(await openDialog({ authorizationUrl: site })).toEqual({ kind: 'redirected', url: target });
  });

  it('catches the answer after a form was sent, to a private scheme too', async () => {
    const site = await startSite((request, response) =>
      request.method === 'POST'
        ? redirect(response, 'com.example.app:/cb?state=s1&code=c1', 303)
        : html(response, '<form method="post"><button>Allow</button></form>'),
    );
    const outcome = openDialog({ authorizationUrl: site, redirectUri: 'com.example.app:/cb' });
    await (await dialogPage(site)).getByRole('button', { name: 'Allow' }).click();
    expect(await outcome).toEqual({ kind: 'redirected', url: 'com.example.app:/cb?state=s1&code=c1' });
  });

  it('loads nothing from the redirect URL, even if a server listens there (docs/tokens.md T3)', async () => {
    const asked: string[] = [];
    const site = await startSite((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/authorize') redirect(response, '/cb?state=s1&code=c1');
      else html(response, 'the app');
    });
    const outcome = await openDialog({ authorizationUrl: `${site}/authorize`, redirectUri: `${site}/cb` });
    expect(outcome).toEqual({ kind: 'redirected', url: `${site}/cb?state=s1&code=c1` });
    expect(asked).not.toContain('/cb?state=s1&code=c1');
    const redirects = () => rainbell.evaluate(() => (globalThis as unknown as Globals).redirects);
    expect((await redirects()).at(-1)).toEqual({ url: `${site}/cb?state=s1&code=c1`, prevented: true });
  });

  it('ignores frames of the page that go to, or are redirected to, the redirect URL', async () => {
    const asked: (string | undefined)[] = [];
    const site = await startSite((request, response) => {
      asked.push(request.url);
      if (request.url === '/frame') redirect(response, `${deadRedirect}?state=s1&code=stolen`);
      else
        html(response, `<p>page</p><iframe src="/frame"></iframe><iframe src="${deadRedirect}?code=stolen"></iframe>`);
    });
    const outcome = openDialog({ authorizationUrl: site });
    await (await dialogPage(site)).getByText('page', { exact: true }).waitFor();
    await expect.poll(() => asked).toContain('/frame');
    const isOpen = await Promise.race([outcome.then(() => false), windowCount(rainbell).then((count) => count === 1)]);
    expect(isOpen).toBe(true);
    await closeDialog(rainbell);
    expect(await outcome).toEqual({ kind: 'closed' });
  });

  it('says closed when the app gives up, for instance for a newer attempt (docs/tokens.md T5)', async () => {
    const site = await startSite((_request, response) => html(response, '<p>sign in</p>'));
    const outcome = openDialog({ authorizationUrl: site });
    await (await dialogPage(site)).getByText('sign in').waitFor();
    await rainbell.evaluate(() => (globalThis as unknown as Globals).stopDialog());
    expect(await outcome).toEqual({ kind: 'closed' });
    expect(await windowCount(rainbell)).toBe(0);
  });

  it('says timed out if no one answers, and the window is gone (docs/tokens.md T5)', async () => {
    const site = await startSite((_request, response) => html(response, '<p>sign in</p>'));
    expect(await openDialog({ authorizationUrl: site, limitMs: 300 })).toEqual({ kind: 'timed-out' });
    expect(await windowCount(rainbell)).toBe(0);
  });

  it('says that the page could not be loaded', async () => {
    const outcome = await openDialog({ authorizationUrl: 'http://127.0.0.1:9/oauth/authorize/' });
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('127.0.0.1:9') });
  });

  it('says closed when the app gives up before the window opens, and asks for no page', async () => {
    const asked: unknown[] = [];
    const site = await startSite((request) => void asked.push(request.url));
    const outcome = rainbell.evaluate((_electron, authorizationUrl) => {
      const { openDialog: open, stopDialog } = globalThis as unknown as Globals;
      const opening = open({ authorizationUrl, redirectUri: 'http://127.0.0.1:9/cb', limitMs: 60_000 });
      stopDialog();
      return opening;
    }, site);
    expect([await outcome, asked, await windowCount(rainbell)]).toEqual([{ kind: 'closed' }, [], 0]);
  });

  it('says failed if its page stops working, but not if a frame or a canceled load fails', async () => {
    const site = await startSite((_request, response) => html(response, '<p>sign in</p>'));
    const outcome = openDialog({ authorizationUrl: site });
    await (await dialogPage(site)).getByText('sign in').waitFor();
    const openWindows = await rainbell.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as NodeJS.EventEmitter;
      contents.emit('did-fail-load', {}, -105, 'ERR_FAILED', 'https://a.example/', false);
      contents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'https://a.example/', true);
      return new Promise<number>((resolve) =>
        setImmediate(() => {
          resolve(BrowserWindow.getAllWindows().length);
          contents.emit('render-process-gone', {}, { reason: 'crashed' });
        }),
      );
    });
    expect(openWindows).toBe(1);
    expect(await outcome).toEqual({ kind: 'failed', message: 'The sign-in page stopped working. Try again.' });
  });

  it('refuses a plain http address beyond this machine, at first and on the way', async () => {
    const first = await openDialog({ authorizationUrl: 'http://signin.example/oauth/authorize/' });
    expect(first).toMatchObject({ kind: 'failed', message: expect.stringContaining('only https URLs') });
    const site = await startSite((_request, response) => redirect(response, 'http://signin.example/next'));
    const later = await openDialog({ authorizationUrl: site });
    expect(later).toMatchObject({ kind: 'failed', message: expect.stringContaining('http://signin.example') });
  });

  const promptPage = () => dialogPage('https://credentials/');

  it('asks for the username and password of a page behind HTTP authentication', async () => {
    const given: (string | undefined)[] = [];
    const site = await startSite((request, response) => {
      given.push(request.headers.authorization);
      const isRight =
        request.headers.authorization === `Basic ${Buffer.from('ada:lace & "pearls"').toString('base64')}`;
      if (isRight) redirect(response, `${deadRedirect}?state=s1&code=c1`);
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="intranet"' }).end('no entry');
    });
    const outcome = openDialog({ authorizationUrl: site });
    const first = await promptPage();
    await expect.poll(() => first.getByText(`${new URL(site).host} requires a username and password`).count()).toBe(1);
    await first.getByLabel('Username').fill('ada');
    await first.getByLabel('Password').fill('wrong');
    const closed = first.waitForEvent('close');
    await first.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true });
    await closed;
    const second = await promptPage();
    await second.getByLabel('Username').fill('ada');
    await second.getByLabel('Password').fill('lace & "pearls"');
    await second.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true });
    expect(await outcome).toEqual({ kind: 'redirected', url: `${deadRedirect}?state=s1&code=c1` });
    expect(given.length).toBeGreaterThanOrEqual(3);
    expect(await windowCount(rainbell)).toBe(0);
  });

  it('has developer tools, a context menu without links to the browser, and a choice of client certificates', async () => {
    const site = await startSite((_request, response) => html(response, '<p>sign in</p>'));
    const outcome = openDialog({ authorizationUrl: `${site}/tools` });
    await dialogPage(`${site}/tools`);
    const found = await rainbell.evaluate(({ app, BrowserWindow, dialog }) => {
      let prompts = 0;
      dialog.showMessageBox = (() => new Promise(() => (prompts += 1))) as typeof dialog.showMessageBox;
      const window = BrowserWindow.getAllWindows()[0];
      const contents = window?.webContents as unknown as NodeJS.EventEmitter;
      const event = { preventDefault() {} };
      contents.emit('before-input-event', event, { type: 'keyDown', code: 'F12' });
      const page = { linkURL: 'https://a.example/', selectionText: '', misspelledWord: '', frame: null, editFlags: {} };
      contents.emit('context-menu', {}, page);
      contents.emit('select-client-certificate', event, 'https://a.example/', [], () => {});
      type Inside = Record<symbol, { contextMenu?: Electron.Menu }>;
      const { contextMenu } = (app as unknown as Inside)[Symbol.for('inside the double')] ?? {};
      const labels = contextMenu?.items.map(({ label }) => label);
      return { hasTools: window?.webContents.isDevToolsOpened(), labels, prompts };
    });
    expect(found).toMatchObject({
      hasTools: true,
      labels: expect.arrayContaining(['Copy link', 'Inspect']),
      prompts: 1,
    });
    expect(found.labels).not.toContain('Open link in browser');
    await rainbell.evaluate(() => (globalThis as unknown as Globals).stopDialog());
    expect(await outcome).toEqual({ kind: 'closed' });
  });

  /** A page whose redirect reports the cookie of its request, and what its storage had. */
  async function startRemembering(): Promise<string> {
    const script = `const had = localStorage.getItem('who') ?? 'nobody';
      localStorage.setItem('who', 'ada');
      location.href = '${deadRedirect}?stored=' + had + '&cookie=' + (document.title || 'none');`;
    return startSite((request, response) => {
      const title = request.headers.cookie === undefined ? '' : 'cookie';
      response.setHeader('set-cookie', 'session=ada; HttpOnly; Max-Age=3600');
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>${title}</title><script>${script}</script>`);
    });
  }

  const remembered = (outcome: DialogOutcome) =>
    outcome.kind === 'redirected' ? Object.fromEntries(new URL(outcome.url).searchParams) : outcome;
  const kept = (connectionId: string, isFresh = false) => ({ connectionId, isSaved: true, isFresh });
  const nothing = { stored: 'nobody', cookie: 'none' };
  const everything = { stored: 'ada', cookie: 'cookie' };

  it('remembers no one unless the user keeps the browser session, and then one per connection (docs/tokens.md T6)', async () => {
    const authorizationUrl = await startRemembering();
    expect(remembered(await openDialog({ authorizationUrl }))).toEqual(nothing);
    expect(remembered(await openDialog({ authorizationUrl }))).toEqual(nothing);
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-1') }))).toEqual(nothing);
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-1') }))).toEqual(everything);
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-2') }))).toEqual(nothing);
    expect(remembered(await openDialog({ authorizationUrl }))).toEqual(nothing);
  });

  it('starts clean for another user and keeps that session, until the user deletes it (docs/tokens.md T6)', async () => {
    const authorizationUrl = await startRemembering();
    await openDialog({ authorizationUrl, browserSession: kept('c-3') });
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-3', true) }))).toEqual(nothing);
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-3') }))).toEqual(everything);
    await rainbell.evaluate(() => (globalThis as unknown as Globals).clearBrowserSession('c-3'));
    expect(remembered(await openDialog({ authorizationUrl, browserSession: kept('c-3') }))).toEqual(nothing);
  });

  const answerAtOnce = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, { location: `${deadRedirect}?state=s1&code=c1` }).end();
  };

  it('trusts only the connection’s own authority (docs/tokens.md T18)', async () => {
    const { baseUrl, caPem } = await startTlsHost(answerAtOnce);
    expect(await openDialog({ authorizationUrl: baseUrl })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/CERT/),
    });
    const transport = { caPem, proxyUrl: null };
    expect(await openDialog({ authorizationUrl: baseUrl, transport })).toMatchObject({ kind: 'redirected' });
    expect(await openDialog({ authorizationUrl: baseUrl })).toMatchObject({ kind: 'failed' });
    const stranger = await startTlsHost(answerAtOnce);
    expect(await openDialog({ authorizationUrl: stranger.baseUrl, transport })).toMatchObject({ kind: 'failed' });
    const elsewhere = await startTlsHost(answerAtOnce, 'elsewhere.example');
    const ofAnotherHost = {
      authorizationUrl: elsewhere.baseUrl,
      transport: { caPem: elsewhere.caPem, proxyUrl: null },
    };
    expect(await openDialog(ofAnotherHost)).toMatchObject({ kind: 'failed' });
  });

  it('goes through the connection’s proxy, to this machine too, and asks for what it wants (docs/tokens.md T18)', async () => {
    const { baseUrl, caPem } = await startTlsHost(answerAtOnce);
    const { proxyUrl, tunnels } = await startProxy({ username: 'ada', password: 'lace' });
    const outcome = openDialog({ authorizationUrl: baseUrl, transport: { caPem, proxyUrl } });
    const prompt = await promptPage();
    await prompt.getByText(`The proxy ${new URL(proxyUrl).host} requires a username and password`).waitFor();
    await prompt.getByLabel('Username').fill('ada');
    await prompt.getByLabel('Password').fill('lace');
    await prompt.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true });
    expect(await outcome).toMatchObject({ kind: 'redirected' });
    expect(new Set(tunnels)).toEqual(new Set([new URL(baseUrl).host]));
  });
});

async function closeDialog(rainbell: Rainbell): Promise<void> {
  await rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end();
}

function html(response: ServerResponse, body: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>${body}`);
}
