// What a page may request of the main process: its port to core, and a file to save.
import { join } from 'node:path';
import type { DownloadItem, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { offerDownload } from '#electron/screens/screen-downloads.ts';
import { serveScreenPorts } from '#electron/screens/screen-port.ts';
import { electron } from '#test/double/electron.ts';
import type { MessagePortMain } from '#test/double/message-channel.ts';
import { recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

describe('a port', () => {
  beforeEach(() => {
    electron.ipcMain.removeAllListeners('rainbell-port');
  });

  const sender = { id: 1 } as WebContents;
  type Post = [channel: string, message: unknown, ports: MessagePortMain[]];
  const frame = { url: 'app://rainbell/', parent: null as object | null, detached: false };

  function request(senderFrame: Partial<typeof frame> | null, isOurs = true) {
    const { log, entries } = recordLog();
    const posted: Post[] = [];
    const served: { port: MessagePortMain; contents: WebContents }[] = [];
    serveScreenPorts({
      isScreenWindow: (contents) => isOurs && contents === sender,
      serve: (port, contents) => void served.push({ port: port as unknown as MessagePortMain, contents }),
      log,
    });
    const postMessage = (...post: Post) => void posted.push(post);
    electron.ipcMain.emit('rainbell-port', {
      sender,
      senderFrame: senderFrame && { ...frame, ...senderFrame, postMessage },
    });
    return { entries, posted, served };
  }

  it('connects the main frame of one of our pages with core', async () => {
    const { entries, posted, served } = request({});
    expect(entries).toEqual([]);
    expect(served.map(({ contents }) => contents)).toEqual([sender]);
    expect(posted.map(([channel, message, ports]) => [channel, message, ports.length])).toEqual([
      ['rainbell-port', null, 1],
    ]);
    const received: unknown[] = [];
    served[0]?.port.on('message', ({ data }: { data: unknown }) => received.push(data));
    posted[0]?.[2][0]?.postMessage('hello');
    await expect.poll(() => received).toEqual(['hello']);
  });

  it.each([
    [null, true, 'the page is gone'],
    [{ detached: true }, true, 'the page is gone'],
    [{ parent: {} }, true, 'it is not a main frame'],
    [{ url: 'https://rainbell/' }, true, 'it is not one of our pages'],
    [{}, false, 'it is not one of our windows'],
  ] as const)('is refused to %j', (senderFrame, isOurs, refusal) => {
    const { entries, posted, served } = request(senderFrame, isOurs);
    expect([posted, served]).toEqual([[], []]);
    expect(entries).toEqual([expect.objectContaining({ level: 40, refusal })]);
    const url = senderFrame === null ? undefined : { ...frame, ...senderFrame }.url;
    expect(entries[0]?.['url']).toBe(url);
  });
});

describe('a download', () => {
  function save(url: string, name: string) {
    const preventDefault = vi.fn<() => void>();
    const setSaveDialogOptions = vi.fn<(options: object) => void>();
    const item = { getURL: () => url, getFilename: () => name, setSaveDialogOptions };
    offerDownload({ preventDefault }, item as unknown as DownloadItem);
    return { isCanceled: preventDefault.mock.calls.length === 1, options: setSaveDialogOptions.mock.calls[0]?.[0] };
  }
  const ours = 'blob:app://rainbell/5e7c';

  it('of one of our pages is offered in the folder of downloads, with its kind', () => {
    expect(save(ours, 'forecast.json')).toEqual({
      isCanceled: false,
      options: {
        title: 'Save as',
        defaultPath: join(electron.app.getPath('downloads'), 'forecast.json'),
        filters: [{ name: 'JSON', extensions: ['json'] }],
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      },
    });
  });

  it.each([
    ['a.12345678', ['12345678']],
    ['a.tar.GZ', ['GZ']],
    ['a.123456789', undefined],
    ['a.json.', undefined],
    ['a.j-s', undefined],
    ['json', undefined],
  ])('%s is of the kinds %j', (name, extensions) => {
    const { filters } = save(ours, name).options as { filters?: { extensions: string[] }[] };
    expect(filters?.flatMap((filter) => filter.extensions)).toEqual(extensions);
  });

  it.each(['https://a.example/forecast.json', 'app://rainbell/forecast.json', 'blob:https://app://rainbell/'])(
    'of %s is canceled',
    (url) => {
      expect(save(url, 'forecast.json')).toEqual({ isCanceled: true, options: undefined });
    },
  );
});
