// Entry of the receiver's own thread: server, SQLite and commit together, so that neither a busy screen nor a busy
// receiver slows the other.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@rainbell/shared';
import { type ReceiverReport, runReceiver, type RunReceiverOptions } from './run-receiver.ts';

export type ReceiverWorkerData = Pick<RunReceiverOptions, 'file' | 'limits' | 'rules' | 'endpoints'>;

export type ToReceiver = { call: number; name: string; args: readonly unknown[] };

export type FromReceiver =
  | ReceiverReport
  | { kind: 'done'; call: number; result: unknown }
  | { kind: 'failed'; call: number; message: string };

if (!parentPort) throw new Error('receiver-worker.ts runs in a worker thread only');
const port = parentPort;
const receiver: object = runReceiver({
  ...(workerData as ReceiverWorkerData),
  clock: systemClock,
  post: (message) => port.postMessage(message),
});
const functions = receiver as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

port.on('message', (message: ToReceiver) => void answer(message).then((reply) => port.postMessage(reply)));

async function answer({ call, name, args }: ToReceiver): Promise<FromReceiver> {
  try {
    return { kind: 'done', call, result: await functions[name]?.(...args) };
  } catch (error) {
    return { kind: 'failed', call, message: error instanceof Error ? error.message : String(error) };
  }
}
