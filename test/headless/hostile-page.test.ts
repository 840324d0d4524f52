// Web pages in a real browser that try to access the headless host while a user works with it: one on another port of the
// same machine (the same site, so the browser sends the cookie along) and one under a name that resolves to it.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { startScreenServer } from '#headless/screen-server.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { browserFlags, browserPath } from '#test/setup/browser.ts';

async function startHost() {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Rainbell</title><p id="secret">callbacks of the person',
  );
  let screens = 0;
  const host = await startScreenServer({ port: 0, folder, clock: systemClock, serveScreen: () => void (screens += 1) });
  onTestFinished(() => host.close());
  return { host, origin: `http://127.0.0.1:${host.port}`, served: () => screens };
}

async function startHostilePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>hostile</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a page finds on each way in: `open` if the socket opened, the text if something could be read. */
function tryEverything(page: Page, origin: string) {
  return page.evaluate(async (target) => {
    const socket = (url: string) =>
      new Promise<string>((resolve) => {
        const attempt = new WebSocket(url);
        attempt.onopen = () => resolve('open');
        attempt.onerror = () => resolve('refused');
      });
    const read = async (path: string, options: RequestInit) => {
      try {
        const answer = await fetch(target + path, { credentials: 'include', ...options });
        return answer.type === 'opaque' ? 'opaque' : `${answer.status} ${await answer.text()}`;
      } catch {
        return 'refused';
      }
    };
    const frame = document.createElement('iframe');
    frame.src = target;
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    let framed = 'refused';
    try {
      framed = frame.contentDocument?.body.textContent ? 'read' : 'refused';
    } catch {
      // Another origin: nothing to read.
    }
    return {
      socket: await socket(`${target.replace('http', 'ws')}/rpc`),
      page: await read('/', {}),
      blind: await read('/', { mode: 'no-cors' }),
      session: await read('/session', {}),
      ticket: await read('/session', {
        method: 'POST',
        body: '{"ticket":"guess"}',
        headers: { 'content-type': 'application/json' },
      }),
      framed,
    };
  }, origin);
}

test('a page on another port gets nothing, though the browser sends it the cookie', async () => {
  const { host, origin, served } = await startHost();
  const hostile = await startHostilePage();
  const browser = await chromium.launch({ executablePath: browserPath(), args: browserFlags() });
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const own = await context.newPage();
  await own.goto(host.newAddress());
  const status = await own.evaluate(async () => {
    const ticket = location.hash.slice('#ticket='.length);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ ticket }) });
    await new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/rpc`);
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return answer.status;
  });
  expect(status).toBe(204);
  expect(served()).toBe(1);

  const page = await context.newPage();
  await page.goto(hostile);
  expect(await tryEverything(page, origin)).toEqual({
    socket: 'refused',
    page: 'refused',
    blind: 'refused',
    session: 'refused',
    ticket: 'refused',
    framed: 'refused',
  });
  expect(served()).toBe(1);
});

test('a page under a name that resolves to this machine gets nothing', async () => {
  const { host, served } = await startHost();
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: [...browserFlags(), '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const answer = await page.goto(`http://rebound.example:${host.port}/`);
  expect(answer?.status()).toBe(421);
  expect(await page.textContent('body')).not.toContain('callbacks of the person');
  const seen = await tryEverything(page, `http://rebound.example:${host.port}`).catch(() => undefined);
  const learnt = [seen?.page, seen?.session, seen?.ticket].filter((text) => !/^421 |^refused$/.test(text ?? 'refused'));
  expect(learnt).toEqual([]);
  expect(served()).toBe(0);
});
