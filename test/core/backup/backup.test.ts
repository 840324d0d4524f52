// Backups and restores of a data folder: with core and real files. test/stories/backup.test.ts has the whole process.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStoredData } from '#core/backup/stored-data.ts';
import type { Receiver } from '#core/receiver/server/receiver.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { startWithReceiver } from '#test/core/callbacks/callback-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const longBody = 'x'.repeat(50_000);

describe('a backup', () => {
  it('holds one moment of all callbacks with their long bodies while more arrive, and becomes the data at the next start', async () => {
    const dataFolder = temporaryFolder();
    const first = await startWithReceiver({ dataFolder });
    await first.post('/kept', longBody);
    await first.client.callbacks.setNote({ id: 1, note: 'before' });
    const sending = Promise.all(Array.from({ length: 20 }, () => first.post('/meanwhile', longBody)));
    const backup = await first.client.data.backUp();
    await sending;
    await first.client.callbacks.setNote({ id: 1, note: 'after' });
    const { total } = await first.client.callbacks.list({ limit: 100 });
    expect(total).toBe(21);
    const { backups, parts } = await first.client.data.describe();
    // It shares the file of long bodies with the app, which goes on to append to it.
    expect(backups).toEqual([{ ...backup, bytes: backups[0]?.bytes }]);
    expect(backups[0]?.bytes).toBeGreaterThanOrEqual(backup.bytes);
    expect(backup.hasBodies).toBe(true);
    expect(parts.map((part) => part.name)).toEqual(
      expect.arrayContaining(['Backups', 'Long callback bodies', 'Callbacks, traffic, and forecasts']),
    );
    const sizes = parts.map(({ bytes }) => bytes);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    // Nothing secret: only the database and bodies.
    const { name } = backup;
    const stored = readdirSync(join(dataFolder, 'backups', name), { recursive: true, encoding: 'utf8' });
    expect(stored.join(' ')).not.toMatch(/secret|key|settings/);

    await first.client.data.restore({ name });
    expect((await first.client.data.describe()).pendingRestore).toBe(name);
    await first.close();

    const second = await startWithReceiver({ dataFolder });
    const { notices, damage } = await second.client.app.status();
    expect(damage).toEqual([]);
    expect(notices).toEqual([
      expect.stringMatching(/^The backup from [\d-]+ \d\d:\d\d UTC was restored\. .*before-restore-/),
    ]);
    expect((await second.client.data.describe()).pendingRestore).toBeNull();
    const kept = await second.client.callbacks.list({ limit: 100 });
    expect(kept.total).toBeGreaterThanOrEqual(1);
    for (const { id } of kept.items) {
      // Every callback of the backup has its whole body.
      const callback = await second.client.callbacks.get({ id });
      expect(Buffer.from(callback.bodyBase64, 'base64').toString()).toBe(longBody);
    }
    expect(await second.client.callbacks.get({ id: 1 })).toMatchObject({ note: 'before' });
    const before = readdirSync(dataFolder).find((entry) => entry.includes('before-restore-')) ?? '';
    const db = new DatabaseSync(join(dataFolder, before, 'app.sqlite'), { readOnly: true });
    expect(db.prepare('SELECT count(*) AS count FROM callbacks').get()).toEqual({ count: 21 });
    db.close();
  });

  it('is refused with the reason if it is damaged, and can be canceled and deleted', async () => {
    const dataFolder = temporaryFolder();
    const { client, post } = await startWithReceiver({ dataFolder });
    await post('/one', longBody);
    const { name } = await client.data.backUp();
    const file = join(dataFolder, 'backups', name, 'app.sqlite');
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.alloc(whole.length, 'x'));
    await expect(client.data.restore({ name })).rejects.toThrow(
      /can’t be restored: it is damaged .*Nothing was changed/,
    );
    writeFileSync(file, whole);
    await expect(client.data.restore({ name: '../..' })).rejects.toThrow('There is no backup');
    await client.data.restore({ name });
    await client.data.cancelRestore();
    expect((await client.data.describe()).pendingRestore).toBeNull();
    await client.data.restore({ name });
    await client.data.deleteBackup({ name });
    expect(await client.data.describe()).toMatchObject({ pendingRestore: null, backups: [] });
  });

  it.each([
    ['missing', (file: string) => rmSync(file), 'app.sqlite is missing'],
    ['cut', (file: string) => writeFileSync(file, 'x'), 'it is damaged'],
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
      const second = await startWithReceiver({ dataFolder });
      const { notices } = await second.client.app.status();
      expect(notices).toEqual([expect.stringContaining(` UTC was not restored: ${reason}. Your data is unchanged.`)]);
      expect((await second.client.callbacks.list({ limit: 10 })).total).toBe(2);
      expect((await second.client.data.describe()).pendingRestore).toBeNull();
    },
  );
});

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
    await client.data.clear({ kinds: ['callbacks', 'traffic', 'forecasts'] });
    expect(await countOf('callbacks')).toBe(0);
  });

  it('is deleted by whole kinds: a cancellation leaves those that come after the one in progress', async () => {
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    db.exec('CREATE TABLE forecast_fetches AS SELECT 1 AS id');
    const canceling = new AbortController();
    const deleted: string[] = [];
    const { clear } = createStoredData({
      db,
      pages: { counts: () => ({ total: 0, newestId: 0 }) },
      receiver: {
        // Canceled in the middle of the first kind, which still ends.
        async call(name: string) {
          canceling.abort();
          await Promise.resolve();
          deleted.push(name);
        },
      } as Pick<Receiver, 'call'>,
      traffic: { clear: () => void deleted.push('traffic') },
      settings: createAppSettings({ read: () => ({}), write: () => {}, backUp: () => null }, () => {}),
    });
    await expect(clear(['callbacks', 'traffic', 'forecasts'], canceling.signal)).rejects.toThrow(/abort/i);
    expect(deleted).toEqual(['clear']);
    expect(db.prepare('SELECT (SELECT count(*) FROM forecast_fetches) AS kept').get()).toEqual({ kept: 1 });
    await clear(['traffic', 'forecasts']);
    expect(deleted).toEqual(['clear', 'traffic']);
  });
});
