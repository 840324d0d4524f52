// What is counted beside the callbacks in the same transaction, once per batch and not per callback: how many came per
// second, and what named endpoints hold.
import type { DatabaseSync } from 'node:sqlite';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { fitsPath, pathOf } from './path-pattern.ts';
import type { ReceivedCallback } from './received-callback.ts';

export type Tallied = Pick<ReceivedCallback, 'receivedAt' | 'target' | 'answeredStatus' | 'body'>;

export type CallbackTallies = {
  /** `firstId` is the first row's; the others follow. */
  add: (batch: readonly Tallied[], firstId: number) => void;
};

type Tally = { total: number; refused: number; bytes: number };

export function createCallbackTallies(db: DatabaseSync, endpoints: () => readonly Endpoint[]): CallbackTallies {
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

  function addToEndpoints(batch: readonly Tallied[], firstId: number, named: readonly Endpoint[]): void {
    const tallies = new Map<string, Tally>();
    batch.forEach((row, index) => {
      const endpoint = named.find(({ path }) => fitsPath(path, pathOf(row.target)));
      if (!endpoint) return;
      assign.run(firstId + index, endpoint.id, row.receivedAt, row.body.length);
      const tally = tallies.get(endpoint.id) ?? { total: 0, refused: 0, bytes: 0 };
      tallies.set(endpoint.id, { ...tally, total: tally.total + 1, bytes: tally.bytes + row.body.length });
    });
    for (const [id, { total, bytes }] of tallies) countEndpoint.run(id, total, bytes);
  }

  return {
    add(batch, firstId) {
      for (const [second, { total, refused }] of talliesBySecond(batch)) countSecond.run(second, total, refused);
      const named = endpoints();
      if (named.length > 0) addToEndpoints(batch, firstId, named);
    },
  };
}

function talliesBySecond(batch: readonly Tallied[]): Map<number, { total: number; refused: number }> {
  const tallies = new Map<number, { total: number; refused: number }>();
  for (const { receivedAt, answeredStatus } of batch) {
    const second = Math.floor(receivedAt / 1000);
    let tally = tallies.get(second);
    if (!tally) {
      tally = { total: 0, refused: 0 };
      tallies.set(second, tally);
    }
    tally.total += 1;
    if (answeredStatus < 200 || answeredStatus > 299) tally.refused += 1;
  }
  return tallies;
}
