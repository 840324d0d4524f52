// A callback store of any size for benches, filled through the receiver's own writer.
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';

/** A callback's body of 300 bytes. */
export const callbackBody = Buffer.from(
  JSON.stringify({ id: 'precipitation_1', monitor_type: 'precipitation', text: 'x'.repeat(230) }),
);

export function fillCallbackStore(file: string, count: number): void {
  const store = openAppDatabase({ file, clock: systemClock });
  store.db.exec('PRAGMA synchronous = OFF');
  const writer = createCallbackWriter(store.db);
  const length = String(callbackBody.length);
  const batch = Array.from({ length: Math.min(count, 5_000) }, () => ({
    receivedAt: systemClock.now(),
    method: 'POST',
    target: '/hooks/bench',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['host', '127.0.0.1:4545', 'content-type', 'application/json', 'content-length', length],
    body: callbackBody,
    truncated: false,
    answeredStatus: 200,
  }));
  for (let written = 0; written < count; written += batch.length) writer.append(batch);
  store.close();
}
