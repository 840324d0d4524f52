// kill -9 with many requests in flight, some of them long: every callback that had its answer is in the store afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { Agent, request } from 'undici';
import { describeReports } from '#shared/node/damage-reports.ts';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const victim = fileURLToPath(new URL('./receiver-process.ts', import.meta.url));
const node = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

async function startVictim(bundle: string, folder: string) {
  const child = spawn(node, [bundle, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: `http://127.0.0.1:${line}` };
}

/** Sends over 64 connections until they break; answers the bodies that were acknowledged. */
async function sendUntilBroken(
  url: string,
  prefix: string,
  onAcknowledged: (count: number) => void,
): Promise<string[]> {
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const acknowledged: string[] = [];
  async function sender(number: number): Promise<void> {
    for (let index = 0; ; index += 1) {
      // Each tenth is long enough for a file of bodies.
      const name = `${prefix}-${number}-${index}`;
      const body = (number + index) % 10 === 0 ? name.padEnd(20_000, '.') : name;
      const answer = await request(`${url}/`, { method: 'POST', body, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      acknowledged.push(name);
      onAcknowledged(acknowledged.length);
    }
  }
  await Promise.allSettled(Array.from({ length: 64 }, (_, number) => sender(number)));
  await agent.destroy();
  return acknowledged;
}

test('every acknowledged callback survives six kills in a row', async () => {
  const folder = temporaryFolder();
  const bundle = await bundleProcess(victim);
  onTestFinished(bundle.remove);
  const acknowledged: string[] = [];
  for (let round = 1; round <= 6; round += 1) {
    const { child, url } = await startVictim(bundle.file, folder);
    acknowledged.push(
      ...(await sendUntilBroken(url, `round${round}`, (count) => {
        if (count === 100 + round * 75) child.kill('SIGKILL');
      })),
    );
  }
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  expect([...database.remarks, ...describeReports([database.file])]).toEqual([]);
  const rows = [...createCallbackPages(database.db).rows({}, 'oldestFirst')];
  expect(rows.filter(({ truncated }) => truncated)).toEqual([]);
  const stored = new Set(rows.map(({ body }) => body.toString().replace(/\.+$/, '')));
  expect(acknowledged.length).toBeGreaterThan(2000);
  expect(acknowledged.filter((body) => !stored.has(body))).toEqual([]);
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1));
  expect(database.db.prepare('SELECT total FROM callback_counters').get()).toEqual({
    total: rows.length,
  });
});
