// Copies and checks whole SQLite files in a separate thread, so that screens and callbacks are not blocked.
import { Worker } from 'node:worker_threads';

/** Plain JavaScript: this thread has no file of its own in the bundles. */
const program = `
const { DatabaseSync } = require('node:sqlite');
const { parentPort, workerData: { task, file, target } } = require('node:worker_threads');
const db = new DatabaseSync(file, { readOnly: task === 'check', timeout: 10000 });
try {
  if (task === 'copy') {
    db.prepare('VACUUM INTO ?').run(target);
    parentPort.postMessage('ok');
  } else {
    parentPort.postMessage(String(Object.values(db.prepare('PRAGMA quick_check(1)').get())[0]));
  }
} finally {
  db.close();
}`;

/** Writes one moment of the database into a new file, even while others write to it. An aborted `signal` ends it halfway. */
export async function copyDatabase(file: string, target: string, signal?: AbortSignal): Promise<void> {
  await run({ task: 'copy', file, target }, signal);
}

/** `ok`, or the first problem that SQLite finds. */
export function checkDatabase(file: string, signal?: AbortSignal): Promise<string> {
  return run({ task: 'check', file, target: '' }, signal);
}

async function run(
  workerData: { task: 'copy' | 'check'; file: string; target: string },
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  const worker = new Worker(program, { eval: true, workerData, name: 'database copy' });
  const end = () => void worker.terminate();
  signal?.addEventListener('abort', end);
  try {
    return await new Promise((resolve, reject) => {
      let result: string | undefined;
      worker.once('message', (message: string) => (result = message));
      worker.once('error', reject);
      // Only then is its connection closed.
      worker.once('exit', () => {
        if (result === undefined) reject(new Error('the thread ended without a result'));
        else resolve(result);
      });
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
