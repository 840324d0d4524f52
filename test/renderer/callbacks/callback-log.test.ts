// The list of callbacks while new and older ones join it.
import { describe, expect, it } from 'vitest';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import {
  addNewer,
  addOlder,
  emptyLog,
  newestId,
  oldestFresh,
  oldestId,
  replaceRows,
  rowAt,
  rowCount,
} from '#renderer/features/callbacks/common/callback-log.ts';

describe('the list of callbacks', () => {
  const row = (id: number, kind = 'verified', count?: number, receivedAt = 0) =>
    ({
      id,
      receivedAt: new Date(receivedAt).toISOString(),
      outcome: { kind },
      ...(count === undefined ? {} : { refusal: { count } }),
    }) as unknown as CallbackSummary;
  const ids = (log: ReturnType<typeof emptyLog>) =>
    Array.from({ length: rowCount(log) }, (_, index) => rowAt(log, index)?.id);

  it('grows at both ends without repeating a row', () => {
    const log = emptyLog();
    expect([newestId(log), oldestId(log), rowCount(log)]).toEqual([0, undefined, 0]);
    addOlder(log, [row(5), row(4)]);
    addOlder(log, [row(4), row(3)]);
    expect(addNewer(log, [row(7), row(6), row(5)])).toBe(2);
    expect(addNewer(log, [row(8), row(7)])).toBe(1);
    expect(ids(log)).toEqual([8, 7, 6, 5, 4, 3]);
    expect([newestId(log), oldestId(log), rowAt(log, 6)]).toEqual([8, 3, undefined]);
  });

  it('replaces rows whose outcome or count changed', () => {
    const log = emptyLog();
    addOlder(log, [row(2), row(1, 'refused', 1)]);
    addNewer(log, [row(3)]);
    expect(replaceRows(log, [row(3), row(2), row(1, 'refused', 1), row(9)])).toBe(false);
    const [changed, counted] = [row(3, 'late'), row(1, 'refused', 2)];
    expect(replaceRows(log, [changed])).toBe(true);
    expect(replaceRows(log, [counted])).toBe(true);
    expect([rowAt(log, 0), rowAt(log, 2)]).toEqual([changed, counted]);
    expect(ids(log)).toEqual([3, 2, 1]);
  });

  it('marks rows that have just arrived, unless they are many', () => {
    const log = emptyLog();
    addOlder(log, [row(1, 'verified', undefined, 10_000)]);
    expect(oldestFresh(log, 10_000)).toBe(Infinity);
    addNewer(log, [row(4, '', undefined, 10_000), row(3, '', undefined, 8_800), row(2, '', undefined, 8_799)]);
    expect(oldestFresh(log, 10_000)).toBe(3);
    expect(oldestFresh(log, 20_000)).toBe(Infinity);
    const many = (count: number) => {
      const busy = emptyLog();
      addNewer(
        busy,
        Array.from({ length: count }, (_, index) => row(count - index, '', undefined, 10_000)),
      );
      return oldestFresh(busy, 10_000);
    };
    expect([many(10), many(11)]).toEqual([1, Infinity]);
  });
});
