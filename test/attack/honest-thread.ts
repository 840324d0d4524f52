// The thread of an honest client: sends requests until it gets the order to stop, then reports what it saw.
import { parentPort, workerData } from 'node:worker_threads';
import { askAllTheWhile, type HonestTask } from './honest-client.ts';

const { asked, everyMs } = workerData as HonestTask;
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
parentPort?.postMessage(await askAllTheWhile(asked, everyMs, stopping.signal));
