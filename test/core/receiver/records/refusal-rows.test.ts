// How many refused requests are kept, and how those that were only counted are added.
import { expect, test } from 'vitest';
import type { RefusalReason } from '#contract/app-rpc/callback-outcome.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { noon, openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

test('adds what was counted to the newest with the same reason', () => {
  const reasons: RefusalReason[] = ['timeout', 'timeout', 'malformed'];
  const { pages, writer } = openCallbackStore(reasons.map((refusal) => receivedCallback({ refusal })));
  writer.addRefusals([
    { reason: 'timeout', count: 4, lastAt: noon + 1000 },
    { reason: 'malformed', count: 2, lastAt: noon - 1000 },
    { reason: 'connect', count: 9, lastAt: noon },
  ]);
  const at = (ms: number) => new Date(noon + ms).toISOString();
  expect([1, 2, 3].map((id) => pages.get(id)?.refusal)).toEqual([
    { reason: 'timeout', count: 1, lastAt: at(0) },
    { reason: 'timeout', count: 5, lastAt: at(1000) },
    // The clock was set back.
    { reason: 'malformed', count: 3, lastAt: at(0) },
  ]);
});

test('counts those from before its start', () => {
  const { db, pages } = openCallbackStore(
    Array.from({ length: 5500 }, () => receivedCallback({ refusal: 'timeout', body: '' })),
  );
  createCallbackWriter(db).append([receivedCallback({ refusal: 'timeout', body: '' })]);
  expect(pages.counts()).toEqual({ newestId: 5501, total: 5000 });
});

test('keeps 5,000 refused requests, and ten percent more at times', () => {
  const { writer, pages } = openCallbackStore([receivedCallback()]);
  const refused = (count: number) =>
    Array.from({ length: count }, () => receivedCallback({ refusal: 'timeout', body: '' }));
  writer.append(refused(5500));
  expect(pages.counts().total).toBe(5501);
  writer.append(refused(1));
  expect(pages.counts()).toEqual({ newestId: 5502, total: 5001 });
  expect(pages.idsIn({ beforeId: 600 }, 2000).slice(-2)).toEqual([503, 1]);
  writer.append(refused(1));
  expect(pages.counts().total).toBe(5002);
});
