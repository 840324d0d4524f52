// Conflated loads: one runs, one waits, and a failed one stops neither the next nor the one that waits.
import { expect, it } from 'vitest';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';

/** A load whose runs end when the test says so. */
function heldLoad() {
  const runs: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const load = oneAtATime(() => new Promise<void>((resolve, reject) => void runs.push({ resolve, reject })));
  return { load, runs };
}

it('runs again after a run that threw', async () => {
  const { load, runs } = heldLoad();
  const first = load();
  runs[0]?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  const second = load();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await expect(second).resolves.toBeUndefined();
});

it('runs again after a run that threw before its first await', async () => {
  let runs = 0;
  const load = oneAtATime(() => {
    runs += 1;
    throw new Error(`broken ${runs}`);
  });
  await expect(load()).rejects.toThrow('broken 1');
  await expect(load()).rejects.toThrow('broken 2');
});

it('runs a request made during a run that threw, and uses its outcome', async () => {
  const { load, runs } = heldLoad();
  const first = load();
  const second = load();
  const third = load();
  runs[0]?.reject(new Error('broken'));
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await expect(Promise.all([first, second, third])).resolves.toBeDefined();
  expect(runs).toHaveLength(2);
});
