// A page that wants into the app: on another port of 127.0.0.1, or under another name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';

export async function startHostilePage(): Promise<{ url: string; cookies: string[]; stop: () => void }> {
  const cookies: string[] = [];
  const server = createServer(({ headers }, response) => {
    if (headers.cookie !== undefined) cookies.push(headers.cookie);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>hostile</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cookies,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a page finds on each way in: `open` if the socket opened, the text if something could be read. */
export function tryEverything(page: Page, origin: string) {
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
      framed,
    };
  }, origin);
}
