// MessageChannelMain over Node's own channel. One end may travel into a page. There a native MessageChannel stands for it, and what
// either side posts is carried over the DevTools protocol (page-bridge.ts).
import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

export class MessagePortMain extends EventEmitter {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('close', () => this.emit('close'));
  }

  postMessage(data: unknown, transfer?: readonly MessagePortMain[]): void {
    if (transfer && transfer.length > 0) throw new Error('The double carries no ports over ports.');
    this.#port.postMessage(data);
  }

  /** Until then, messages wait. */
  start(): void {
    this.#port.on('message', (data) => this.emit('message', { data, ports: [] }));
  }

  close(): void {
    this.#port.close();
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new MessagePortMain(port1);
    this.port2 = new MessagePortMain(port2);
  }
}
