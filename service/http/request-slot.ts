// The slot of an anonymous request while its handler runs (admission.ts). A handler that waits for something other than the
// database, such as a password hash, releases its slot meanwhile.
import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestSlot = {
  readonly isHeld: boolean;
  leave(): void;
  /** Waits in the queue for a slot again. */
  takeAgain(): Promise<void>;
};

const slotOfRequest = new AsyncLocalStorage<RequestSlot>();

/** Runs a request's handler with its slot in the asynchronous context. */
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

/** Releases the slot permanently, because the request has a valid token. */
export function leaveSlot(): void {
  const slot = slotOfRequest.getStore();
  if (slot?.isHeld === true) slot.leave();
}
