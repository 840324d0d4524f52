// An action on many monitors: four at a time, stopped in the middle, and what is left tried again.
import { expect, test } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { type BulkPart, createBulkPart } from '#renderer/features/monitors/common/bulk-slice.ts';

const monitors = Array.from({ length: 10 }, (_, index) => ({
  id: `m${index}`,
  name: '',
  geo: { lat: 0, lng: 0 },
})) as AppMonitor[];

/** Each update waits until the test lets it end. */
function startMoving() {
  const sent: string[] = [];
  const open: (() => void)[] = [];
  const client = {
    monitors: {
      update: ({ id }: { id: string }) => {
        sent.push(id);
        return new Promise<void>((resolve) => open.push(resolve));
      },
    },
  } as unknown as AppClient;
  let state = {} as BulkPart;
  const part = createBulkPart(
    {
      client,
      read: () => state,
      change: (next) => {
        state = { ...state, ...next };
      },
    },
    { onWritten: () => {}, onEnd: () => {} },
  );
  state = { bulk: null, ...part };
  const settle = async () => {
    for (const end of open.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { part, sent, settle, states: () => (state.bulk?.rows ?? []).map((row) => row.state) };
}

test('four are sent at a time; Stop lets these end and begins no more; Retry sends only what is left', async () => {
  const { part, sent, settle, states } = startMoving();
  const first = part.moveAll(monitors, { lat: 1, lng: 0 });
  expect(sent).toHaveLength(4);
  part.stopBulk();
  await settle();
  await first;
  expect(states()).toEqual([...Array<string>(4).fill('done'), ...Array<string>(6).fill('stopped')]);
  const second = part.retryBulk();
  await settle();
  await settle();
  await second;
  expect(states()).toEqual(Array<string>(10).fill('done'));
  expect(sent).toEqual(monitors.map(({ id }) => id));
});
