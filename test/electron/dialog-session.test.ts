// What the sign-in window remembers, trusts, and goes through: docs/tokens.md T6 and T18 in real Chromium.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DialogOutcome } from '#core/ports/host.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import type { DialogQuestion } from './dialog-main.ts';
import { atFileEnd, isReal, startRainbell, startSite, type Rainbell } from './rainbell.ts';

type Globals = {
  openDialog: (question: DialogQuestion) => Promise<DialogOutcome>;
  clearBrowserSession: (connectionId: string) => Promise<void>;
};

const redirectUri = 'http://127.0.0.1:9/cb';

describe.skipIf(isReal)('the sign-in window', () => {
  let rainbell: Rainbell;
  beforeAll(async () => {
    rainbell = await startRainbell({ main: 'test/electron/dialog-main.ts' }, atFileEnd);
  });

  const open = (question: Partial<DialogQuestion> & { authorizationUrl: string }) =>
    rainbell.evaluate((_electron, asked) => (globalThis as unknown as Globals).openDialog(asked), {
      redirectUri,
      limitMs: 60_000,
      ...question,
    });

  /** A page whose redirect reports the cookie of its request, and what its storage had. */
  async function startRemembering(): Promise<string> {
    const script = `const had = localStorage.getItem('who') ?? 'nobody';
      localStorage.setItem('who', 'ada');
      location.href = '${redirectUri}?stored=' + had + '&cookie=' + (document.title || 'none');`;
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
    expect(remembered(await open({ authorizationUrl }))).toEqual(nothing);
    expect(remembered(await open({ authorizationUrl }))).toEqual(nothing);
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-1') }))).toEqual(nothing);
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-1') }))).toEqual(everything);
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-2') }))).toEqual(nothing);
    expect(remembered(await open({ authorizationUrl }))).toEqual(nothing);
  });

  it('starts clean for another user and keeps that session, until the user deletes it (docs/tokens.md T6)', async () => {
    const authorizationUrl = await startRemembering();
    await open({ authorizationUrl, browserSession: kept('c-3') });
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-3', true) }))).toEqual(nothing);
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-3') }))).toEqual(everything);
    await rainbell.evaluate(() => (globalThis as unknown as Globals).clearBrowserSession('c-3'));
    expect(remembered(await open({ authorizationUrl, browserSession: kept('c-3') }))).toEqual(nothing);
  });

  it('empties cookies, storage and caches when it ends, as far as Electron can (docs/tokens.md T6)', async () => {
    const authorizationUrl = await startRemembering();
    await rainbell.evaluate(({ session }) => {
      const cleared: string[] = [];
      Object.assign(globalThis, { cleared });
      const original = session.fromPartition.bind(session);
      session.fromPartition = (name) => {
        const partition = original(name);
        for (const method of ['clearStorageData', 'clearCache', 'clearAuthCache'] as const) {
          const clear = partition[method].bind(partition);
          partition[method] = () => {
            cleared.push(method);
            return method === 'clearCache' ? Promise.reject(new Error('the disk is full')) : clear();
          };
        }
        return partition;
      };
    });
    await open({ authorizationUrl });
    const cleared = await rainbell.evaluate(() => (globalThis as unknown as { cleared: string[] }).cleared);
    expect(cleared.toSorted()).toEqual(['clearAuthCache', 'clearCache', 'clearStorageData']);
  });

  const answerAtOnce = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, { location: `${redirectUri}?state=s1&code=c1` }).end();
  };

  it('trusts only the connection’s own authority (docs/tokens.md T18)', async () => {
    const { baseUrl, caPem } = await startTlsHost(answerAtOnce);
    expect(await open({ authorizationUrl: baseUrl })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/CERT/),
    });
    const transport = { caPem, proxyUrl: null };
    expect(await open({ authorizationUrl: baseUrl, transport })).toMatchObject({ kind: 'redirected' });
    expect(await open({ authorizationUrl: baseUrl })).toMatchObject({ kind: 'failed' });
    const stranger = await startTlsHost(answerAtOnce);
    expect(await open({ authorizationUrl: stranger.baseUrl, transport })).toMatchObject({ kind: 'failed' });
    const elsewhere = await startTlsHost(answerAtOnce, 'elsewhere.example');
    const ofAnotherHost = {
      authorizationUrl: elsewhere.baseUrl,
      transport: { caPem: elsewhere.caPem, proxyUrl: null },
    };
    expect(await open(ofAnotherHost)).toMatchObject({ kind: 'failed' });
  });

  /** Which partitions in memory a connection's sign-in windows have had. */
  const memoryPartitions = (connectionId: string) =>
    rainbell.evaluate(
      (_electron, id) =>
        (globalThis as unknown as { partitions: string[] }).partitions.filter((name) => name.startsWith(`oauth-${id}`)),
      connectionId,
    );

  it('reuses an in-memory partition, which Electron never frees, unless another window uses it', async () => {
    await rainbell.evaluate(({ session }) => {
      const partitions: string[] = [];
      Object.assign(globalThis, { partitions });
      const original = session.fromPartition.bind(session);
      session.fromPartition = (name) => {
        if (!partitions.includes(name)) partitions.push(name);
        return original(name);
      };
    });
    const authorizationUrl = await startRemembering();
    const browserSession = { connectionId: 'memory', isSaved: false, isFresh: false };
    await rainbell.evaluate(
      (_electron, question) => {
        const { openDialog, stopDialog } = globalThis as unknown as Globals & { stopDialog: () => void };
        const outcome = openDialog(question);
        stopDialog();
        return outcome;
      },
      { authorizationUrl, redirectUri, limitMs: 60_000, browserSession },
    );
    for (const _attempt of [1, 2]) {
      expect(remembered(await open({ authorizationUrl, browserSession }))).toEqual(nothing);
    }
    expect(await memoryPartitions('memory')).toEqual(['oauth-memory-0']);
    await Promise.all([open({ authorizationUrl, browserSession }), open({ authorizationUrl, browserSession })]);
    expect(await memoryPartitions('memory')).toEqual(['oauth-memory-0', 'oauth-memory-1']);
    await open({ authorizationUrl, browserSession });
    expect(await memoryPartitions('memory')).toHaveLength(2);
  });

  it('goes through the connection’s proxy, to this machine too, and asks for what it wants (docs/tokens.md T18)', async () => {
    const { baseUrl, caPem } = await startTlsHost(answerAtOnce);
    const { proxyUrl, tunnels } = await startProxy({ username: 'ada', password: 'lace' });
    const outcome = open({ authorizationUrl: baseUrl, transport: { caPem, proxyUrl } });
    const find = () => rainbell.pages().find((page) => page.url().startsWith('https://credentials/'));
    await expect.poll(find).toBeDefined();
    const prompt = find()!;
    await prompt.getByText(`The proxy ${new URL(proxyUrl).host} requires a username and password`).waitFor();
    await prompt.getByLabel('Username').fill('ada');
    await prompt.getByLabel('Password').fill('lace');
    await prompt.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true });
    expect(await outcome).toMatchObject({ kind: 'redirected' });
    expect(new Set(tunnels)).toEqual(new Set([new URL(baseUrl).host]));
  });
});
