// What no session does by default, where links lead, and how a file that a page saves is offered.
import { EventEmitter } from 'node:events';
import type { DownloadItem, Session } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { denyByDefault, offerDownload, openOutside } from '#electron/screens/window-guard.ts';
import { checkSpelling } from '#electron/windows/spelling.ts';
import { electron } from '#test/double/electron.ts';
import { inside } from '#test/double/inside.ts';
import { pretendPlatform, recordLog } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

let opened: string[];
let open: () => Promise<void>;
beforeEach(() => {
  opened = [];
  open = async () => {};
  const spy = vi.spyOn(electron.shell, 'openExternal').mockImplementation((url) => {
    opened.push(url);
    return open();
  });
  return () => spy.mockRestore();
});

/** A turn of the loop later the double has searched for dictionaries. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('by default', () => {
  beforeEach(() => {
    for (const name of ['web-contents-created', 'session-created']) electron.app.removeAllListeners(name);
    denyByDefault();
  });

  it('a session downloads no dictionary, on disk or in memory, until it checks spelling', async () => {
    pretendPlatform('linux');
    const made = ['persist:spelling', 'spelling'].map((name) => electron.session.fromPartition(name));
    await settle();
    const states = () => made.map((one) => [one.isSpellCheckerEnabled(), one[inside].dictionaryDownloads]);
    expect(states()).toEqual([
      [false, []],
      [false, []],
    ]);
    checkSpelling(made[0] as unknown as Session, true);
    await settle();
    expect(states()).toEqual([
      [true, ['en-GB']],
      [false, []],
    ]);
    checkSpelling(made[0] as unknown as Session, false);
    expect(made[0]?.isSpellCheckerEnabled()).toBe(false);
  });

  it('a session saves no download', () => {
    const preventDefault = vi.fn<() => void>();
    electron.session.fromPartition('made later').emit('will-download', { preventDefault }, {});
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('a page attaches no webview, and gets no client certificate', () => {
    const setWindowOpenHandler = vi.fn<(decide: () => { action: string }) => void>();
    const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler });
    electron.app.emit('web-contents-created', {}, contents);
    expect(setWindowOpenHandler.mock.lastCall?.[0]()).toEqual({ action: 'deny' });
    const preventDefault = vi.fn<() => void>();
    contents.emit('will-attach-webview', { preventDefault }, {}, { src: 'https://x.example' });
    const answer = vi.fn<() => void>();
    contents.emit('select-client-certificate', { preventDefault }, 'https://a.example/', [{}], answer);
    expect([preventDefault.mock.calls.length, answer.mock.calls]).toEqual([2, [[]]]);
  });
});

describe('an address', () => {
  it.each([
    ['http://a.example', 'http://a.example/'],
    ['HTTPS://a.example/?q=1#b', 'https://a.example/?q=1#b'],
  ])('%s opens in the browser', (address, url) => {
    openOutside(address, recordLog().log);
    expect(opened).toEqual([url]);
  });

  it.each([
    ['file:///etc/passwd', 'file:'],
    ['javascript:alert(1)', 'javascript:'],
    ['app://rainbell/', 'app:'],
    ['rainbell://monitors', 'rainbell:'],
    ['httpss://a.example/', 'httpss:'],
    ['not an address', undefined],
  ])('%s is never opened', (address, scheme) => {
    const { log, entries } = recordLog();
    openOutside(address, log);
    expect(opened).toEqual([]);
    expect(entries.map((entry) => [entry['level'], entry['scheme']])).toEqual([[40, scheme]]);
  });

  it('that the system cannot open is logged', async () => {
    open = () => Promise.reject(new Error('no browser'));
    const { log, entries } = recordLog();
    openOutside('https://a.example/', log);
    await expect.poll(() => entries).toMatchObject([{ level: 40, err: { message: 'no browser' } }]);
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

  it('of a screen is saved where its user wants it, and of any other page not at all', () => {
    const properties = ['createDirectory', 'showOverwriteConfirmation'];
    expect(save(ours, 'a.json')).toMatchObject({ isCanceled: false, options: { title: 'Save as', properties } });
    expect(save('https://a.example/tool.exe', 'a.json')).toEqual({ isCanceled: true, options: undefined });
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
});
