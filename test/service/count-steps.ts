// How often work lets other requests go first (service/http/request-slot.ts).
import { runInSlot } from '#service/http/request-slot.ts';

/** Runs work as a request's handler does; returns its result and how often it gave way. */
export async function countSteps<T>(work: () => Promise<T>): Promise<[T, number]> {
  let steps = 0;
  let result: Promise<T> | undefined;
  const slot = { isHeld: true, leave() {}, takeAgain: async () => void (steps += 1) };
  runInSlot(slot, () => void (result = work()));
  if (!result) throw new Error('The work was not started.');
  return [await result, steps];
}
