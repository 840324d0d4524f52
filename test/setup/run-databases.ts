// The PostgreSQL of a test run: it starts on a free port and in a temporary folder when the first test asks for a database, and
// stops with the run. A process of its own holds it (databases-process.ts); the files' processes ask over a loopback address
// (test/service/engines.ts).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // Only an interface adds to Vitest's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** `POST /` returns the URL of a new database, `DELETE /NAME` drops it. */
    databasesUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(new URL('./databases-process.ts', import.meta.url)));
  const [url] = (await once(child, 'message')) as [string];
  project.provide('databasesUrl', url);
  return async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  };
}
