// The slot of a request while its handler runs (admission.ts). A handler that waits for something other than the
// database, such as a password hash, releases its slot meanwhile.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

export type RequestSlot = {
  readonly isHeld: boolean;
  /** Does nothing if it is not held. */
  leave(): void;
  /** Waits in the queue for a slot again. */
  takeAgain(): Promise<void>;
};

const slotOfRequest = new AsyncLocalStorage<RequestSlot>();

export function runInSlot(slot: RequestSlot, handle: () => void): void {
  slotOfRequest.run(slot, handle);
}

/** Runs `wait` without the request's slot. Outside a request with a slot, it only runs `wait`. */
export async function withoutSlot<T>(wait: () => Promise<T>): Promise<T> {
  const slot = slotOfRequest.getStore();
  if (slot?.isHeld !== true) return wait();
  slot.leave();
  try {
    return await wait();
  } finally {
    await slot.takeAgain();
  }
}

/** Lets others go first, in the middle of long work. */
export const giveWay = () => withoutSlot(async () => {});

/** Reads until a step has fewer than `size` rows, and gives way after each. `last`: the last row of the step before. */
export async function readInSteps<Row>(size: number, read: (last: Row | undefined) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const step = await read(rows.at(-1));
    rows.push(...step);
    await giveWay();
    if (step.length < size) return rows;
  }
}

export const leaveSlot = () => slotOfRequest.getStore()?.leave();

/** Whether a handler may wait seconds for weather providers, so that it needs no slot once the token is checked. */
export function waitsForProviders({ routeOptions }: FastifyRequest): boolean {
  const group = routeOptions.config.operation?.group;
  return group === 'Weather' || group === 'Sandbox';
}
