// MessageChannelMain: two ends in the main process, of which one may travel into a page. There a native MessageChannel
// stands for it, and what either side posts is carried over the DevTools protocol (page-bridge.ts).
import { EventEmitter } from 'node:events';
import { inside } from './inside.ts';

/** Where an end's messages go: to the other end, or into a page. */
export type Carrier = { post: (data: unknown) => void; close: () => void };

type PortInside = {
  attach: (carrier: Carrier) => void;
  deliver: (data: unknown) => void;
  /** The other side is gone. */
  end: () => void;
};

export class MessagePortMain extends EventEmitter {
  readonly [inside]: PortInside;
  readonly #state = { waiting: [] as unknown[], isStarted: false, isClosed: false };
  #carrier: Carrier | undefined;

  constructor() {
    super();
    const state = this.#state;
    this[inside] = {
      attach: (carrier) => {
        this.#carrier = carrier;
      },
      deliver: (data) => {
        if (state.isClosed) return;
        if (state.isStarted) this.emit('message', { data, ports: [] });
        else state.waiting.push(data);
      },
      end: () => {
        if (state.isClosed) return;
        state.isClosed = true;
        this.emit('close');
      },
    };
  }

  postMessage(data: unknown, transfer?: readonly MessagePortMain[]): void {
    if (transfer && transfer.length > 0) throw new Error('The double carries no ports over ports.');
    if (!this.#state.isClosed) this.#carrier?.post(structuredClone(data));
  }

  start(): void {
    this.#state.isStarted = true;
    for (const data of this.#state.waiting.splice(0)) this.emit('message', { data, ports: [] });
  }

  close(): void {
    this.#carrier?.close();
    this[inside].end();
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    join(this.port1, this.port2);
    join(this.port2, this.port1);
  }
}

function join(from: MessagePortMain, to: MessagePortMain): void {
  from[inside].attach({
    post: (data) => queueMicrotask(() => to[inside].deliver(data)),
    close: () => queueMicrotask(() => to[inside].end()),
  });
}
