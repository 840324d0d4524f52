// What named endpoints hold, counted in the transaction that stores callbacks, once per batch and not per callback.
import type { DatabaseSync } from 'node:sqlite';
import type { Endpoint } from '@rainbell/contract/app-rpc';
import { fitsPath, pathOf } from '../requests/path-pattern.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';

export type CountedCallback = Pick<ReceivedCallback, 'receivedAt' | 'target' | 'body' | 'refusal'>;

type EndpointCount = { total: number; bytes: number };

export function createCallbackCounts(db: DatabaseSync, endpoints: () => readonly Endpoint[]) {
  const assign = db.prepare(
    'INSERT INTO endpoint_callbacks (callback_id, endpoint_id, received_at, size_bytes) VALUES (?, ?, ?, ?)',
  );
  const countEndpoint = db.prepare(
    `INSERT INTO endpoint_counters (endpoint_id, total, bytes) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET total = total + excluded.total, bytes = bytes + excluded.bytes`,
  );

  return {
    /** `firstId` is the first row's; the others follow. */
    add(batch: readonly CountedCallback[], firstId: number) {
      const named = endpoints();
      const counts = new Map<string, EndpointCount>();
      batch.forEach((row, index) => {
        if (row.refusal) return;
        const endpoint = named.find(({ path }) => fitsPath(path, pathOf(row.target)));
        if (!endpoint) return;
        assign.run(firstId + index, endpoint.id, row.receivedAt, row.body.length);
        const { total, bytes } = counts.get(endpoint.id) ?? { total: 0, bytes: 0 };
        counts.set(endpoint.id, { total: total + 1, bytes: bytes + row.body.length });
      });
      for (const [id, { total, bytes }] of counts) countEndpoint.run(id, total, bytes);
    },
  };
}
