// The thread of a flood: runs until it is told to stop, then reports what it saw.
import { parentPort, workerData } from 'node:worker_threads';
import { flood, type FloodTask } from './flood.ts';

const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
parentPort?.postMessage(await flood(workerData as FloodTask, stopping.signal));
