// The search box over the loaded callbacks.
import { describe, expect, it } from 'vitest';
import { addOlder, emptyLog, rowAt, rowCount } from '#renderer/features/callbacks/callback-log.ts';
import { searched } from '#renderer/features/callbacks/callback-search.ts';

const base = {
  receivedAt: '2026-11-21T04:00:00.000Z',
  remoteAddress: '127.0.0.1',
  sizeBytes: 10,
  verdict: 'ok',
  kind: 'event',
  hasNote: false,
  isImported: false,
} as const;
const log = emptyLog();
addOlder(log, [
  { ...base, id: 3, method: 'POST', target: '/hooks/torino', answeredStatus: 200, monitorId: 'precipitation_17' },
  { ...base, id: 2, method: 'GET', target: '/favicon.ico', answeredStatus: 200, monitorId: null },
  { ...base, id: 1, method: 'POST', target: '/hooks/genova', answeredStatus: 0, monitorId: 'precipitation_18' },
]);

function ids(text: string): number[] {
  const found = searched(log, text);
  return Array.from({ length: rowCount(found) }, (_, index) => rowAt(found, index)?.id ?? 0);
}

describe('the search over callbacks', () => {
  it.each([
    ['', [3, 2, 1]],
    ['method:post', [3, 1]],
    ['method:POST monitor:17', [3]],
    ['GENOVA', [1]],
    ['status:closed', [1]],
    ['from:127 hooks', [3, 1]],
    ['path:/fav', [2]],
    ['nothing:here', []],
  ])('finds for “%s” the callbacks %j', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });
});
