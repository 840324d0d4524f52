// The place that an anonymous request takes while its handler runs (admission.ts). A handler that has to wait for something
// other than the database, such as a password hash, gives its place to others meanwhile.
import { AsyncLocalStorage } from 'node:async_hooks';

export type RequestSlot = {
  readonly isHeld: boolean;
  leave(): void;
  /** Waits for a place again, in the order of turns. */
  takeAgain(): Promise<void>;
};

const slotOfRequest = new AsyncLocalStorage<RequestSlot>();

/** Runs a request's handler; what the handler awaits finds the request's slot. */
export function runInSlot(slot: RequestSlot, handle: () => void): void {
  slotOfRequest.run(slot, handle);
}

/** Runs `wait` while the request holds no place. Outside of a request with a slot, it only runs `wait`. */
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

/** Gives the place up for good, because the request turned out to have a valid token. */
export function leaveSlot(): void {
  const slot = slotOfRequest.getStore();
  if (slot?.isHeld === true) slot.leave();
}
