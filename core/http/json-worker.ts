// Entry of the thread that reads one large response and ends: its memory goes back to the system with it.
import { parentPort, workerData } from 'node:worker_threads';
import type { JsonJob } from './json-reader.ts';
import { readJsonText } from './read-json.ts';

if (!parentPort) throw new Error('json-worker.ts runs in a worker thread only');
const { bytes, bounds } = workerData as JsonJob;
parentPort.postMessage(readJsonText(Buffer.from(bytes).toString('utf8'), bounds));
