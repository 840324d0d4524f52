// What is counted beside the callbacks in the same transaction, once per batch and not per callback: how many came per
// second, and what named endpoints hold.
import type { DatabaseSync } from 'node:sqlite';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { fitsPath, pathOf } from './path-pattern.ts';
import type { ReceivedCallback } from './received-callback.ts';

export type CountedCallback = Pick<ReceivedCallback, 'receivedAt' | 'target' | 'answeredStatus' | 'body' | 'refusal'>;

export type CallbackCounts = {
  /** `firstId` is the first row's; the others follow. */
  add: (batch: readonly CountedCallback[], firstId: number) => void;
};

type EndpointCount = { total: number; refused: number; bytes: number };

export function createCallbackCounts(db: DatabaseSync, endpoints: () => readonly Endpoint[]): CallbackCounts {
  const countSecond = db.prepare(
    `INSERT INTO callback_seconds (second, total, refused) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET total = total + excluded.total, refused = refused + excluded.refused`,
  );
  const assign = db.prepare(
    'INSERT INTO endpoint_callbacks (callback_id, endpoint_id, received_at, size_bytes) VALUES (?, ?, ?, ?)',
  );
  const countEndpoint = db.prepare(
    `INSERT INTO endpoint_counters (endpoint_id, total, bytes) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET total = total + excluded.total, bytes = bytes + excluded.bytes`,
  );

  function addToEndpoints(batch: readonly CountedCallback[], firstId: number, named: readonly Endpoint[]): void {
    const counts = new Map<string, EndpointCount>();
    batch.forEach((row, index) => {
      if (row.refusal) return;
      const endpoint = named.find(({ path }) => fitsPath(path, pathOf(row.target)));
      if (!endpoint) return;
      assign.run(firstId + index, endpoint.id, row.receivedAt, row.body.length);
      const count = counts.get(endpoint.id) ?? { total: 0, refused: 0, bytes: 0 };
      counts.set(endpoint.id, { ...count, total: count.total + 1, bytes: count.bytes + row.body.length });
    });
    for (const [id, { total, bytes }] of counts) countEndpoint.run(id, total, bytes);
  }

  return {
    add(batch, firstId) {
      for (const [second, { total, refused }] of countBySecond(batch)) countSecond.run(second, total, refused);
      const named = endpoints();
      if (named.length > 0) addToEndpoints(batch, firstId, named);
    },
  };
}

function countBySecond(batch: readonly CountedCallback[]): Map<number, { total: number; refused: number }> {
  const counts = new Map<number, { total: number; refused: number }>();
  for (const { receivedAt, answeredStatus } of batch) {
    const second = Math.floor(receivedAt / 1000);
    let count = counts.get(second);
    if (!count) {
      count = { total: 0, refused: 0 };
      counts.set(second, count);
    }
    count.total += 1;
    if (answeredStatus < 200 || answeredStatus > 299) count.refused += 1;
  }
  return counts;
}
