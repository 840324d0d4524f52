// What HTML injected into a screen could use to send data away: images, and images of styles, at another host.
import { createServer } from 'node:net';
import type { Page } from 'playwright';
import { listen } from './listen.ts';

export type Listener = { port: number; connections: () => number };

/** Counts connections, so that it notices a request over TLS, too; each is closed at once. */
export async function startListener(): Promise<Listener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {}).destroy();
  });
  return { port: await listen(server), connections: () => count };
}

/** Injects images that lead to the listener, and resolves when the browser has given up on each. */
export function injectImages(page: Page, { port }: Listener): Promise<void> {
  return page.evaluate(async (target) => {
    const urls = ['http://127.0.0.1', 'http://localhost', 'https://127.0.0.1'].map(
      (origin) => `${origin}:${target}/leak`,
    );
    const style = `background-image: url(${urls[0]}?style)`;
    document.body.insertAdjacentHTML(
      'beforeend',
      `<div id="injected" style="${style}">${urls.map((url) => `<img src="${url}">`).join('')}</div>`,
    );
    const images = [...document.querySelectorAll<HTMLImageElement>('#injected img')];
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
  }, port);
}
