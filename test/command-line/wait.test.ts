// `rainbell wait` as scripts use it: real processes, real callbacks, the real store.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { listeningAddress, runRainbell, sendCallback, startRainbell } from './rainbell-process.ts';

const monitor = 'precipitation_12';
/** Waits longer than a busy machine needs. */
const startWait = (monitorId: string, folder: string, ...more: string[]) =>
  startRainbell(['wait', '--monitor', monitorId, '--timeout', '10m', '--data', folder, ...more]);

describe('rainbell wait', () => {
  test('exits with 0 and prints the callback that arrives meanwhile, which the app’s store then has', async () => {
    const folder = temporaryFolder();
    const waiting = startWait(monitor, folder, '--port', '0', '--json');
    const [, baseUrl = ''] = await waiting.says(listeningAddress);
    expect(await sendCallback(baseUrl, 'precipitation_99', '/hooks/other')).toBe(200);
    expect(await sendCallback(baseUrl, monitor, '/hooks/a?b=c')).toBe(200);
    const { code, out } = await waiting.ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 2, method: 'POST', target: '/hooks/a?b=c', monitorId: monitor });
    // Closed properly: no write-ahead log is left.
    expect(existsSync(join(folder, 'app.sqlite-wal'))).toBe(false);
    const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
    const stored = createCallbackPages(database.db).page({ beforeId: undefined, limit: 10 });
    database.close();
    expect(stored.map((callback) => callback.monitorId)).toEqual([monitor, 'precipitation_99']);
  });

  test('exits with 1 and a sentence if no callback arrives before the timeout', async () => {
    const args = ['--monitor', monitor, '--timeout', '0.3', '--port', '0', '--data', temporaryFolder()];
    const { code, out, words } = await runRainbell(['wait', ...args]);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(words).toContain(`No callback arrived within 0.3 s. Monitor: ${monitor}.\n`);
  });

  test('looks back a few seconds, but not to what an earlier wait returned; --since reaches further', async () => {
    const folder = temporaryFolder();
    const first = startWait(monitor, folder, '--port', '0');
    const [, baseUrl = ''] = await first.says(listeningAddress);
    await sendCallback(baseUrl, monitor);
    expect((await first.ended).code).toBe(0);

    const again = ['wait', '--monitor', monitor, '--timeout', '0', '--port', '0', '--data', folder];
    expect((await runRainbell(again)).code).toBe(1);
    expect((await runRainbell([...again, '--since', 'now'])).code).toBe(1);
    expect(await runRainbell([...again, '--since', '5m'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(monitor),
    });
    expect((await runRainbell([...again, '--since', '2024-01-01T00:00:00Z'])).code).toBe(0);
    expect((await runRainbell([...again, '--since', '0s'])).code).toBe(1);
  });

  test('two at once share one receiver, and the second goes on listening when the first has ended', async () => {
    const folder = temporaryFolder();
    const first = startWait('precipitation_1', folder, '--port', '0');
    const [, firstUrl = ''] = await first.says(listeningAddress);
    const second = startWait('precipitation_2', folder);
    await second.says(/shows the callbacks stored there/);
    await sendCallback(firstUrl, 'precipitation_1');
    expect((await first.ended).code).toBe(0);
    const [, secondUrl = ''] = await second.says(listeningAddress);
    await sendCallback(secondUrl, 'precipitation_2');
    expect(await second.ended).toMatchObject({ code: 0, out: expect.stringContaining('precipitation_2') });
  });
});
