// Starts restartable-postgres-process.ts, and ends it with the test.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const entry = fileURLToPath(new URL('./restartable-postgres-process.ts', import.meta.url));

export async function startRestartablePostgres(port: number) {
  const child = fork(entry, [String(port)]);
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('PostgreSQL did not start.'))),
  ]);
  return {
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    /** Like `pg_ctl restart -m fast`: every connection ends. */
    async restart() {
      child.send('restart');
      await once(child, 'message');
    },
  };
}
