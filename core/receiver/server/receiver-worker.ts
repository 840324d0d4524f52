// Entry of the receiver's own thread: server, SQLite and commit together, so that neither a busy screen nor a busy
// receiver slows the other.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@rainbell/shared';
import { serveCalls } from '../../ports/called-thread.ts';
import { runReceiver, type RunReceiverOptions } from './run-receiver.ts';

export type ReceiverWorkerData = Pick<RunReceiverOptions, 'file' | 'limits' | 'rules' | 'endpoints'>;

if (!parentPort) throw new Error('receiver-worker.ts runs in a worker thread only');
const port = parentPort;
const data = workerData as ReceiverWorkerData;
serveCalls(port, runReceiver({ ...data, clock: systemClock, post: (message) => port.postMessage(message) }));
