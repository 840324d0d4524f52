// The headless host's door: who gets in, and what a hostile page, a rebinding name or another program gets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { writeRedirect } from '#headless/write-redirect.ts';
import { startScreenServer } from '#headless/screen-server.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';

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
  const server = await startScreenServer({ port: 0, folder, clock, serveScreen });
  onTestFinished(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const newTicket = () => new URL(server.newAddress()).hash.slice('#ticket='.length);
  return { server, origin, clock, served, newTicket, port: server.port };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The session, or the code that the host closed the socket with. */
async function hello({ origin, port }: Pick<Started, 'origin' | 'port'>, message: unknown): Promise<string | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { origin } });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  socket.once('open', () => socket.send(typeof message === 'string' ? message : JSON.stringify(message)));
  return new Promise((resolve) => {
    socket.once('message', (data) => resolve((JSON.parse((data as Buffer).toString()) as { session: string }).session));
    socket.once('close', resolve);
  });
}

/** `fetch` does not let a Host header through. */
function getAs(port: number, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: body }));
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
    expect(await hello(started, { ticket })).toMatch(/^[\w-]{43}$/);
    expect(await hello(started, { ticket })).toBe(4401);
    expect(started.served).toHaveLength(1);
  });

  test('that is older than two minutes, or none, is refused', async () => {
    const started = await start();
    const ticket = started.newTicket();
    started.clock.advance(120_000);
    const wrong = [
      '',
      '{',
      '{"ticket": 1}',
      '{"ticket": "guess"}',
      `{"ticket": "${'x'.repeat(5000)}"}`,
      '{"session": ""}',
    ];
    for (const message of [{ ticket }, ...wrong])
      expect([message, await hello(started, message)]).toEqual([message, 4401]);
    expect(started.served).toEqual([]);
  });

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'of another user of this machine is refused, and stays good for ours',
    async () => {
      const started = await start();
      const ticket = started.newTicket();
      const frame = Buffer.from(JSON.stringify({ ticket }));
      // A WebSocket by hand, because that user can't read our modules.
      const script = `
        const socket = require('node:net').connect(${started.port}, '127.0.0.1');
        socket.write('GET /rpc HTTP/1.1\\r\\nHost: 127.0.0.1:${started.port}\\r\\nOrigin: ${started.origin}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n');
        socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | ${frame.length}, 0, 0, 0, 0]), Buffer.from('${frame.toString('base64')}', 'base64')]));
        socket.on('data', (data) => {
          process.stdout.write(data.toString('latin1'));
          if (data.includes('\\x11\\x33', 'latin1')) socket.end();
        });`;
      const other = spawn(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, cwd: '/', env: {} });
      const answer = await text(other.stdout);
      expect(answer).toContain('101 Switching Protocols');
      expect(answer).toContain('\u0011\u0033');
      expect(started.served).toEqual([]);
      expect(await hello(started, { ticket })).toMatch(/^[\w-]{43}$/);
    },
  );
});

describe('a session', () => {
  test('holds over a reload of the page and in another tab, without a ticket, but on no other port', async () => {
    const started = await start();
    const session = await hello(started, { ticket: started.newTicket() });
    expect(await hello(started, { session })).toBe(session);
    expect(await hello(started, { session: `${session}x` })).toBe(4401);
    expect(await hello(await start(), { session })).toBe(4401);
    expect(started.served).toHaveLength(2);
  });

  test('is taken from our own page only', async () => {
    const { origin, port, served } = await start();
    const url = `ws://127.0.0.1:${port}/rpc`;
    expect(await upgrade(url, {})).toBe(403);
    expect(await upgrade(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade(url, { origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
    expect(await upgrade(url, { origin: 'null' })).toBe(403);
    expect(await upgrade(url, { origin, host: `evil.example:${port}` })).toBe(421);
    expect(await upgrade(`ws://127.0.0.1:${port}/other`, { origin })).toBe(404);
    expect(await upgrade(url, { origin })).toBe(101);
    expect(served).toHaveLength(0);
  });

  test('is missing 5 s after the connection: it ends', async () => {
    const { origin, port, clock } = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { origin } });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    clock.advance(5000);
    expect(await closed).toBe(1006);
  });

  test('is ended by a message longer than a screen would send', async () => {
    const { origin, port, newTicket } = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { origin } });
    socket.once('open', () => socket.send(JSON.stringify({ ticket: newTicket() })));
    await new Promise((resolve) => socket.once('message', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.send(Buffer.alloc(2 * 1024 * 1024));
    expect([1006, 1009]).toContain(await closed);
  });
});

test('macOS: the browser gets a file that only its user can read, and that leads to the address', async () => {
  const { server, origin } = await start();
  const file = writeRedirect(temporaryFolder(), server.newAddress('#/callbacks?q=<a>'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const page = await (await newBrowserContext()).newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForURL(`${origin}/**`);
  expect(page.url()).toMatch(/\/#ticket=[\w-]{43}&\/callbacks\?q=%3Ca%3E$/);
});

test('two Host headers are refused, so that no proxy and host disagree about the name', async () => {
  const { port, origin } = await start();
  const hosts = `Host: 127.0.0.1:${port}\r\nHost: evil.example\r\n`;
  const upgrade = `Origin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
  for (const request of [
    `GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`,
    `GET /rpc HTTP/1.1\r\n${hosts}${upgrade}\r\n`,
  ]) {
    expect(await openRaw(port, request).answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*Host/i);
  }
});

test('a refused upgrade is over with its answer, also if the client leaves its side open', async () => {
  const { port } = await start();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toContain(' 403 ');
  await once(socket, 'end');
  // The server's close, before this socket's, waits for all connections.
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

  test('do not expose files outside their folder', async () => {
    const { port } = await start();
    const headers = { host: `127.0.0.1:${port}` };
    const outside = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/..%5c..%5csecret.txt'];
    for (const path of [...outside, '/%00.txt', '/%zz.txt']) {
      const answer = await getAs(port, path, headers);
      expect([path, answer.status, answer.text === 'secret']).toEqual([path, 404, false]);
    }
  });
});
