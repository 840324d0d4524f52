// How a file that a page saves is offered.
import type { DownloadItem } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { offerDownload } from '#electron/screens/offer-download.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

describe('a download', () => {
  function save(url: string, name: string) {
    const preventDefault = vi.fn<() => void>();
    const setSaveDialogOptions = vi.fn<(options: object) => void>();
    const item = { getURL: () => url, getFilename: () => name, setSaveDialogOptions };
    offerDownload({ preventDefault }, item as unknown as DownloadItem);
    return { isCanceled: preventDefault.mock.calls.length === 1, options: setSaveDialogOptions.mock.calls[0]?.[0] };
  }
  const ours = 'blob:app://rainbell/5e7c';

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
