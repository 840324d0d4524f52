// The headless host's door: who gets in, and what a hostile page, a rebinding name or another program gets.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { startScreenServer } from '#headless/screen-server.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const secret = 's'.repeat(43);

async function start() {
  const parent = temporaryFolder();
  const folder = join(parent, 'screens');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Rainbell</title><meta nonce="__STYLE_NONCE__">');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}');
  const clock = createManualClock();
  const served: WebSocket[] = [];
  const serveScreen = (socket: WebSocket) => void served.push(socket);
  const server = await startScreenServer({ port: 0, folder, clock, serveScreen, secret });
  onTestFinished(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const newTicket = () => new URL(server.newAddress()).hash.slice('#ticket='.length);
  return { server, origin, clock, served, newTicket, port: server.port };
}

type Started = Awaited<ReturnType<typeof start>>;

function postTicket({ origin }: Pick<Started, 'origin'>, ticket: string, headers: Record<string, string> = {}) {
  return fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify({ ticket }),
  });
}

async function signIn(started: Started): Promise<string> {
  const answer = await postTicket(started, started.newTicket());
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** `fetch` does not let a Host header through. */
function getAs(port: number, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end();
  });
}

/** The status of a refused upgrade, or 101. */
function upgrade(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.once('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.once('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('error', () => {});
  });
}

describe('a ticket', () => {
  test('lets one browser in once', async () => {
    const started = await start();
    const ticket = started.newTicket();
    const answer = await postTicket(started, ticket);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^rainbell_${started.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    const again = await postTicket(started, ticket);
    expect(again.status).toBe(403);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  test('that is older than two minutes says how to get a new one', async () => {
    const started = await start();
    const ticket = started.newTicket();
    started.clock.advance(120_000);
    const answer = await postTicket(started, ticket);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringContaining('Press Enter'),
    });
  });

  test('is not taken from another page, nor as a form', async () => {
    const started = await start();
    const ticket = started.newTicket();
    expect((await postTicket(started, ticket, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await postTicket(started, ticket, { 'content-type': 'text/plain' })).status).toBe(403);
    expect((await postTicket(started, 'guess')).status).toBe(403);
    expect((await postTicket(started, ticket)).status).toBe(204);
  });

  test.each(['', '{', '{"ticket": 1}', `{"ticket": "${'x'.repeat(5000)}"}`])(
    'in the body “%.20s” is none',
    async (body) => {
      const { origin } = await start();
      const answer = await fetch(`${origin}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body,
      });
      expect(answer.status).toBe(400);
    },
  );
});

describe('a session', () => {
  test('holds over a reload of the page, without a ticket', async () => {
    const started = await start();
    const cookie = await signIn(started);
    expect((await fetch(`${started.origin}/session`, { headers: { cookie } })).status).toBe(204);
    expect((await fetch(`${started.origin}/session`)).status).toBe(403);
    expect((await fetch(`${started.origin}/session`, { headers: { cookie: `${cookie}x` } })).status).toBe(403);
  });

  test('opens the socket for our own page only', async () => {
    const started = await start();
    const { origin, port, served } = started;
    const cookie = await signIn(started);
    const url = `ws://127.0.0.1:${port}/rpc`;
    expect(await upgrade(url, { origin })).toBe(403);
    expect(await upgrade(url, { cookie })).toBe(403);
    expect(await upgrade(url, { cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade(url, { cookie, origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
    expect(await upgrade(url, { cookie, origin: 'null' })).toBe(403);
    expect(await upgrade(url, { cookie, origin, host: `evil.example:${port}` })).toBe(421);
    expect(await upgrade(`ws://127.0.0.1:${port}/other`, { cookie, origin })).toBe(404);
    expect(served).toHaveLength(0);
    expect(await upgrade(url, { cookie, origin })).toBe(101);
    expect(served).toHaveLength(1);
  });

  test('of another port is rejected', async () => {
    const one = await start();
    const other = await start();
    const cookie = await signIn(one);
    expect((await fetch(`${other.origin}/session`, { headers: { cookie } })).status).toBe(403);
  });

  test('is ended by a message longer than a screen would send', async () => {
    const started = await start();
    const cookie = await signIn(started);
    const socket = new WebSocket(`ws://127.0.0.1:${started.port}/rpc`, { headers: { cookie, origin: started.origin } });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.send(Buffer.alloc(2 * 1024 * 1024));
    expect([1006, 1009]).toContain(await closed);
  });
});

describe('the screens', () => {
  test('answer to their own name only, so a rebinding name gets nothing', async () => {
    const { port } = await start();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}.`,
    ]) {
      expect((await getAs(port, '/', { host })).status).toBe(421);
      expect((await getAs(port, '/session', { host })).status).toBe(421);
    }
    expect((await getAs(port, '/', { host: `127.0.0.1:${port}` })).status).toBe(200);
    expect(await openRaw(port, 'GET / HTTP/1.0\r\n\r\n').answer).toContain(' 421 ');
  });

  test('carry headers that keep the page to itself, and no CORS', async () => {
    const { origin } = await start();
    const { headers } = await fetch(`${origin}/`, { headers: { origin: 'https://evil.example' } });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("worker-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("; img-src 'self' data:; ");
    expect(policy).toMatch(/; style-src 'self' 'nonce-[\w-]{22}'; /);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('give the page a new nonce for its styles with each response, and other files none', async () => {
    const { origin } = await start();
    const fetchPage = async () => {
      const response = await fetch(`${origin}/`);
      const [, nonce] = /'nonce-([\w-]+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
      expect(await response.text()).toBe(`<!doctype html><title>Rainbell</title><meta nonce="${nonce}">`);
      return nonce;
    };
    expect(await fetchPage()).not.toBe(await fetchPage());
    const script = await fetch(`${origin}/assets/app-1a2b.js`);
    expect(script.headers.get('content-security-policy')).toContain("; style-src 'self'; ");
    const missing = await fetch(`${origin}/assets/none.js`);
    expect(missing.headers.get('content-security-policy')).toContain("; style-src 'self'; ");
  });

  test('are served as they are on disk, and any other path gets the page', async () => {
    const { origin } = await start();
    const script = await fetch(`${origin}/assets/app-1a2b.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(await script.text()).toBe('export {}');
    expect(await (await fetch(`${origin}/monitors?x=1`)).text()).toContain('<title>Rainbell');
    expect((await fetch(`${origin}/assets/none.js`)).status).toBe(404);
    expect((await fetch(`${origin}/`, { method: 'POST' })).status).toBe(405);
    const head = await fetch(`${origin}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%00.txt',
    '/%zz.txt',
  ])('do not expose files outside their folder: %s', async (path) => {
    const { port } = await start();
    const answer = await getAs(port, path, { host: `127.0.0.1:${port}` });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toBe('secret');
  });
});

describe('a second start on the same data folder', () => {
  const wanted = JSON.stringify({ hash: '#/callbacks/1' });
  const known = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };

  test('gets an address with a new ticket and the link', async () => {
    const { origin } = await start();
    const answer = await fetch(`${origin}/open`, { method: 'POST', headers: known, body: wanted });
    const { url } = (await answer.json()) as { url: string };
    expect(url).toMatch(new RegExp(`^${origin}/#ticket=[\\w-]{43}&/callbacks/1$`));
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['without the secret', { authorization: '' }, wanted, 403],
    ['with a wrong secret', { authorization: `Bearer ${'t'.repeat(43)}` }, wanted, 403],
    ['from a page', { origin: 'https://evil.example' }, wanted, 403],
    ['with what is not a link', {}, JSON.stringify({ hash: 'javascript:alert(1)' }), 400],
    ['with a link of two lines', {}, JSON.stringify({ hash: '#/callbacks\nhttp://evil.example' }), 400],
    ['with too much', {}, JSON.stringify({ hash: `#/${'x'.repeat(20_000)}` }), 400],
  ])('%s gets none', async (_name, headers, body, status) => {
    const { origin } = await start();
    const answer = await fetch(`${origin}/open`, { method: 'POST', headers: { ...known, ...headers }, body });
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('ticket');
  });
});
