// The preload of the screens, with the page's window and Electron's side of it replaced.
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';

const ipcRenderer = vi.hoisted(() => ({
  sent: [] as unknown[],
  receive: (_event: { ports: unknown[] }): void => {},
  on(_channel: string, run: (event: { ports: unknown[] }) => void) {
    this.receive = run;
  },
  postMessage(...message: unknown[]) {
    this.sent.push(message);
  },
}));
vi.mock('electron', () => ({ ipcRenderer }));

it('requests a port when the page is loaded, and passes it to the page’s own origin', async () => {
  const posted: unknown[][] = [];
  const events = new EventEmitter();
  vi.stubGlobal('window', {
    addEventListener: events.on.bind(events),
    postMessage: (...message: unknown[]) => void posted.push(message),
  });
  await import('#electron/preload/preload.ts');
  expect(ipcRenderer.sent).toEqual([]);
  events.emit('load');
  expect(ipcRenderer.sent).toEqual([['rainbell-port', null]]);
  ipcRenderer.receive({ ports: ['port'] });
  expect(posted).toEqual([['rainbell-port', '/', ['port']]]);
  vi.unstubAllGlobals();
});
