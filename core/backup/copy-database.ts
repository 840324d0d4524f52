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

/** Writes one moment of the database into a new file, even while others write to it. */
export async function copyDatabase(file: string, target: string): Promise<void> {
  await run({ task: 'copy', file, target });
}

/** `ok`, or the first problem that SQLite finds. */
export function checkDatabase(file: string): Promise<string> {
  return run({ task: 'check', file, target: '' });
}

function run(workerData: { task: 'copy' | 'check'; file: string; target: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true, workerData, name: 'database copy' });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without a result')));
  });
}
