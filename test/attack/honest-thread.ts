// The thread of an honest client: sends requests until it gets the order to stop, then reports what it saw.
import { parentPort, workerData } from 'node:worker_threads';
import { sendRequestsUntilStopped, type HonestTask } from './honest-client.ts';

const { asked, everyMs } = workerData as HonestTask;
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
parentPort?.postMessage(await sendRequestsUntilStopped(asked, everyMs, stopping.signal));
