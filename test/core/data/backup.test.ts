// Backups and restores of a data folder, and settings as a file: with core and real files. test/story/backup.test.ts has the whole
// process.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { lockFile } from '#storage/file-lock.ts';
import { createBackups } from '#core/backup/backups.ts';
import { finishRestore } from '#core/backup/restore.ts';
import { createStoredData } from '#core/backup/stored-data.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { createMemoryHost, startCore } from '../core-harness.ts';
import { startWithReceiver } from '../callbacks/callback-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Another second than that of a backup made before. */
const fixedClock = { ...systemClock, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
const longBody = 'x'.repeat(50_000);

function paths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('a backup', () => {
  it('holds one moment of all callbacks with their long bodies while more arrive, and becomes the data at the next start', async () => {
    const dataFolder = temporaryFolder();
    const first = await startWithReceiver({ dataFolder });
    await first.post('/kept', longBody);
    await first.client.callbacks.setNote({ id: 1, note: 'before' });
    const sending = Promise.all(Array.from({ length: 20 }, () => first.post('/meanwhile', longBody)));
    const { name, bytes } = await first.client.data.backUp();
    await sending;
    await first.client.callbacks.setNote({ id: 1, note: 'after' });
    const { total } = await first.client.callbacks.list({ limit: 100 });
    expect(total).toBe(21);
    const { backups, parts } = await first.client.data.describe();
    expect(backups).toMatchObject([{ name, bytes }]);
    expect(parts.map((part) => part.name)).toEqual(
      expect.arrayContaining(['Backups', 'Long callback bodies', 'Callbacks, traffic, and forecasts']),
    );
    // Nothing secret: only databases, bodies, settings, and the manifest.
    expect(paths(join(dataFolder, 'backups', name)).join(' ')).not.toMatch(/secret|key|electron/);

    await first.client.data.restore({ name });
    expect((await first.client.data.describe()).pendingRestore).toBe(name);
    // The folder is in use: another process must not exchange its files now.
    expect(() => finishRestore(dataFolder, systemClock)).toThrow('already running');
    await first.close();
    mkdirSync(join(dataFolder, 'service'), { recursive: true });
    const service = lockFile(join(dataFolder, 'service', 'service.lock'), 'shared');
    expect(() => finishRestore(dataFolder, systemClock)).toThrow('already running');
    service?.release();

    expect(finishRestore(dataFolder, systemClock)).toEqual([
      expect.stringMatching(new RegExp(`^The backup ${name} was restored\\. .*before-restore-`)),
    ]);
    expect(finishRestore(dataFolder, systemClock)).toEqual([]);
    const second = await startWithReceiver({ dataFolder });
    const kept = await second.client.callbacks.list({ limit: 100 });
    expect(kept.total).toBeGreaterThanOrEqual(1);
    for (const { id } of kept.items) {
      // Every callback of the backup has its whole body.
      // oxlint-disable-next-line no-await-in-loop
      const callback = await second.client.callbacks.get({ id });
      expect(Buffer.from(callback.bodyBase64, 'base64').toString()).toBe(longBody);
    }
    expect(await second.client.callbacks.get({ id: 1 })).toMatchObject({ note: 'before' });
    const before = readdirSync(dataFolder).find((entry) => entry.startsWith('before-restore-')) ?? '';
    const db = new DatabaseSync(join(dataFolder, before, 'app.sqlite'), { readOnly: true });
    expect(db.prepare('SELECT count(*) AS count FROM callbacks').get()).toEqual({ count: 21 });
    db.close();
    expect((await second.client.app.status()).damage).toEqual([]);
  });

  it('is refused with the reason if it is damaged, and an interrupted restore goes on', async () => {
    const dataFolder = temporaryFolder();
    const first = await startWithReceiver({ dataFolder });
    await first.post('/one', longBody);
    const { name } = await first.client.data.backUp();
    const backup = join(dataFolder, 'backups', name);
    const [bodies = ''] = readdirSync(join(backup, 'app.sqlite-bodies'));
    const whole = readFileSync(join(backup, 'app.sqlite-bodies', bodies));
    appendFileSync(join(backup, 'app.sqlite-bodies', bodies), 'y');
    await expect(first.client.data.restore({ name })).rejects.toThrow(
      new RegExp(
        `can’t be restored: app\\.sqlite-bodies/${bodies} is 50001 bytes instead of 50000\\. Nothing was changed`,
      ),
    );
    writeFileSync(join(backup, 'app.sqlite-bodies', bodies), whole);
    await expect(first.client.data.restore({ name: '../..' })).rejects.toThrow('There is no backup');
    await first.client.data.restore({ name });
    await first.client.data.cancelRestore();
    expect(existsSync(join(dataFolder, 'restore.json'))).toBe(false);
    await first.post('/two', longBody);
    await first.client.data.restore({ name });
    await first.close();
    // A file in the way stops it halfway, as a crash would.
    const stamp = 'before-restore-2026-01-01';
    writeFileSync(join(dataFolder, stamp), '');
    const plan = { backup: name, keepIn: null, isMoved: false };
    finishRestoreHalf(dataFolder, plan, stamp);
    expect(() => finishRestore(dataFolder, systemClock)).toThrow('EEXIST');
    expect(existsSync(join(dataFolder, 'app.sqlite'))).toBe(true);
    finishRestoreHalf(dataFolder, plan, 'before-restore-2026-01-02');
    finishRestore(dataFolder, systemClock);
    const second = await startWithReceiver({ dataFolder });
    expect((await second.client.callbacks.list({ limit: 10 })).total).toBe(1);
  });

  it('that is canceled leaves no files, and a canceled restore no plan', async () => {
    const dataFolder = temporaryFolder();
    const { client, post } = await startWithReceiver({ dataFolder });
    await post('/one', longBody);
    const { name } = await client.data.backUp();
    const options = { dataFolder, appVersion: '0.1.0', schemaVersions: { first: 1, last: 1_000 }, clock: systemClock };
    const backups = createBackups(options);
    const before = paths(dataFolder);
    const cancel = async (start: (signal: AbortSignal) => Promise<unknown>) => {
      const canceling = new AbortController();
      const started = start(canceling.signal);
      canceling.abort();
      await expect(started).rejects.toThrow(/abort/i);
      expect(paths(dataFolder)).toEqual(before);
    };
    await cancel((signal) => backups.restore(name, signal));
    expect(backups.pendingRestore()).toBeNull();
    await cancel((signal) => createBackups({ ...options, clock: fixedClock }).create(signal));
    // Neither is in the way of the next one.
    await backups.restore(name);
    expect(backups.pendingRestore()).toBe(name);
    expect(await createBackups({ ...options, clock: fixedClock }).create()).toMatchObject({
      name: 'rainbell-2026-01-02T03-04-05',
    });
  });

  it.each([
    ['missing', (file: string) => rmSync(file), 'app.sqlite is missing'],
    ['cut', (file: string) => writeFileSync(file, 'x'), 'app.sqlite is 1 bytes instead of '],
    ['a folder', (file: string) => (rmSync(file), mkdirSync(file)), 'EISDIR'],
  ])(
    'of which a file is %s at the next start is not restored, and the app starts as it was',
    async (_, harm, reason) => {
      const dataFolder = temporaryFolder();
      const first = await startWithReceiver({ dataFolder });
      await first.post('/one', longBody);
      const { name } = await first.client.data.backUp();
      await first.post('/two', longBody);
      await first.client.data.restore({ name });
      await first.close();
      harm(join(dataFolder, 'backups', name, 'app.sqlite'));
      const [notice] = finishRestore(dataFolder, systemClock);
      expect(notice).toContain(`The backup ${name} was not restored: ${reason}`);
      expect(notice).toContain('Your data is unchanged.');
      expect(finishRestore(dataFolder, systemClock)).toEqual([]);
      expect(existsSync(join(dataFolder, 'restoring'))).toBe(false);
      const second = await startWithReceiver({ dataFolder });
      expect((await second.client.callbacks.list({ limit: 10 })).total).toBe(2);
    },
  );
});

/** As if the copy was made and the swap had started, into this folder. */
function finishRestoreHalf(dataFolder: string, plan: object, keepIn: string): void {
  const draft = join(dataFolder, 'restoring');
  if (!existsSync(draft)) {
    mkdirSync(join(draft, 'app.sqlite-bodies'), { recursive: true });
    const [name = ''] = readdirSync(join(dataFolder, 'backups'));
    for (const path of paths(join(dataFolder, 'backups', name)).filter((one) => /sqlite$|bodies$/.test(one))) {
      const from = join(dataFolder, 'backups', name, path);
      if (path !== 'app.sqlite-bodies') writeFileSync(join(draft, path), readFileSync(from));
    }
  }
  writeFileSync(join(dataFolder, 'restore.json'), JSON.stringify({ ...plan, keepIn }));
}

describe('stored data', () => {
  it('is counted, and deleted by kind only', async () => {
    const { post, client } = await startWithReceiver();
    await post('/a', '{}');
    await client.settings.update({
      recentPlaces: [{ name: 'Oslo', countryCode: 'NO', lat: 59.9, lng: 10.7, population: null }],
    });
    const countOf = async (kind: string) =>
      (await client.data.describe()).stored.find((stored) => stored.kind === kind)?.count;
    expect([await countOf('callbacks'), await countOf('recent-places')]).toEqual([1, 1]);
    await client.data.clear({ kinds: ['recent-places'] });
    expect([await countOf('callbacks'), await countOf('recent-places')]).toEqual([1, 0]);
    await client.data.clear({ kinds: ['callbacks', 'traffic', 'forecasts', 'monitor-history'] });
    expect(await countOf('callbacks')).toBe(0);
  });

  it('is deleted by whole kinds: a cancellation leaves those that come after the one in progress', async () => {
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    db.exec('CREATE TABLE forecast_fetches AS SELECT 1 AS id; CREATE TABLE monitor_history AS SELECT 1 AS id');
    const canceling = new AbortController();
    const deleted: string[] = [];
    const { clear } = createStoredData({
      db,
      pages: { counts: () => ({ total: 0, newestId: 0 }) },
      receiver: {
        // Canceled in the middle of the first kind, which still ends.
        async clear() {
          canceling.abort();
          await Promise.resolve();
          deleted.push('callbacks');
        },
      },
      traffic: { clear: () => void deleted.push('traffic') },
      settings: createAppSettings({ read: () => ({}), write: () => {}, backUp: () => null }, () => {}),
      onMonitorsChanged: () => void deleted.push('monitor-history'),
    });
    await expect(clear(['monitor-history', 'callbacks', 'traffic', 'forecasts'], canceling.signal)).rejects.toThrow(
      /abort/i,
    );
    expect(deleted).toEqual(['callbacks']);
    expect(db.prepare('SELECT (SELECT count(*) FROM forecast_fetches) AS kept').get()).toEqual({ kept: 1 });
    await clear(['monitor-history', 'traffic', 'forecasts']);
    expect(deleted).toEqual(['callbacks', 'traffic', 'monitor-history']);
  });
});

describe('settings as a file', () => {
  it('leave without secrets, connections, and traces, and come back after a preview; unknown ones are kept', async () => {
    const host = createMemoryHost({ receiverPort: 23_456, theme: 'dark', recentPlaces: [], connections: [] });
    const { client } = await startCore({ host });
    const { text } = await client.settings.export();
    const file = JSON.parse(text) as { settings: Record<string, unknown> };
    expect(file).toMatchObject({ rainbell: 'settings', version: 1, settings: { theme: 'dark' } });
    for (const absent of ['connections', 'recentPlaces', 'publicBase', 'sandboxLook', 'selectedConnection'])
      expect(Object.keys(file.settings)).not.toContain(absent);
    const changed = JSON.stringify({
      ...file,
      settings: { ...file.settings, theme: 'light', fromTheFuture: [1], connections: [{ name: 'evil' }] },
    });
    expect(await client.settings.previewImport({ text: changed })).toEqual({
      changes: [{ field: 'theme', from: '"dark"', to: '"light"' }],
      unknown: ['fromTheFuture'],
    });
    expect(await client.settings.get()).toMatchObject({ theme: 'dark' });
    expect(await client.settings.import({ text: changed })).toMatchObject({ theme: 'light', receiverPort: 23_456 });
    expect(host.written.at(-1)).toMatchObject({ fromTheFuture: [1], theme: 'light', connections: [] });
    await client.settings.update({ density: 'comfortable' });
    expect(host.written.at(-1)).toMatchObject({ fromTheFuture: [1], density: 'comfortable' });
  });

  it.each([
    ['{\n  "rainbell": "settings",\n  oops\n}', /line 3: the file is not valid JSON/],
    ['{"a": 1}', /line 1: the file is not a Rainbell settings file/],
    ['{"rainbell": "settings", "settings": {}}', /line 1: the file has no version/],
    [
      '{\n"rainbell": "settings",\n"version": 2,\n"settings": {}\n}',
      /line 3: the file is from a newer version of Rainbell/,
    ],
    [
      '{"rainbell":"settings","version":1,\n"settings": {\n"theme": "dark",\n"keptLimits": {"keptCallbacks": 500,\n"keptDays": "x"}}}',
      /line 5: keptLimits\.keptDays should be a number, but is text/,
    ],
  ])('name line and reason of a broken file: %j', async (text, message) => {
    const { client } = await startCore();
    await expect(client.settings.previewImport({ text })).rejects.toThrow(message);
    await expect(client.settings.import({ text })).rejects.toThrow(message);
  });
});
