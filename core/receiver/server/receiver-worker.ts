// Entry of the receiver's own thread: server, SQLite and commit together, so that neither a busy screen nor a busy
// receiver slows the other.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@rainbell/shared';
import { runReceiver } from './run-receiver.ts';
import type { FromReceiver, ReceiverWorkerData, ToReceiver } from './receiver-messages.ts';

if (!parentPort) throw new Error('receiver-worker.ts runs in a worker thread only');
const port = parentPort;
const receiver = runReceiver({
  ...(workerData as ReceiverWorkerData),
  clock: systemClock,
  post: (message) => port.postMessage(message),
});

port.on('message', (message: ToReceiver) => {
  void handleCall(message);
});

async function handleCall(message: ToReceiver): Promise<void> {
  let reply: FromReceiver;
  try {
    const result = await receiver.handle(message);
    reply = { kind: 'done', call: message.call, ...result };
  } catch (error) {
    reply = { kind: 'failed', call: message.call, message: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(reply);
  if (message.kind === 'close') port.close();
}
