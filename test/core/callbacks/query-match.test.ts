// Whether one callback matches a term, without the database.
import { expect, test } from 'vitest';
import { parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';
import type { ValidationResult } from '#core/callbacks/callback-validator.ts';
import { fitsQuery } from '#core/callbacks/query-match.ts';
import { storedCallback } from './stored-callback.ts';

const refusal = { reason: 'timeout' as const, count: 1, lastAt: '' };
// Received on 2026-11-21 at 06:00 UTC, 24 bytes, answered 204.
const matches = (query: string, changes: Parameters<typeof storedCallback>[0] = {}) => {
  const { alternatives, terms, problems } = parseCallbackQuery(query);
  expect(problems).toEqual([]);
  return fitsQuery({ alternatives, terms, problems }, storedCallback(changes), () => {
    return { verdict: 'warning', verdictName: 'verified', kind: 'event' } as ValidationResult;
  });
};

test.each<[string, Parameters<typeof storedCallback>[0], boolean]>([
  ['status:204', {}, true],
  ['status:2xx', { answeredStatus: 200 }, true],
  ['status:2xx', { answeredStatus: 299 }, true],
  ['status:2xx', { answeredStatus: 300 }, false],
  ['status:2xx', { answeredStatus: 199 }, false],
  ['after:2026-11-21T06:00:00Z', {}, true],
  ['after:2026-11-21T06:00:01Z', {}, false],
  ['before:2026-11-21T06:00:00Z', {}, false],
  ['before:2026-11-21T06:00:01Z', {}, true],
  ['outcome:refused', {}, false],
  ['outcome:refused', { outcome: { kind: 'refused', at: null, afterMs: null, bytesSent: null } }, true],
  ['verdict:verified', {}, true],
  ['verdict:invalid', {}, false],
  ['size:24', {}, true],
  ['size:23', {}, false],
  ['is:imported', { isImported: true }, true],
  ['is:imported', {}, false],
  ['is:feed', { isByFeed: true }, true],
  ['is:feed', {}, false],
  ['is:noted', { note: 'a' }, true],
  ['is:noted', {}, false],
  ['is:cut', { truncated: true }, true],
  ['is:cut', {}, false],
  ['is:refused', { refusal }, true],
  ['is:refused', {}, false],
  ['is:warning', {}, true],
  ['is:error', {}, false],
  ['is:event', {}, true],
  ['is:test', {}, false],
  ['json:n=822106502566256641', { body: Buffer.from('{"n":822106502566256641}') }, true],
  ['json:n=822106502566256600', { body: Buffer.from('{"n":822106502566256641}') }, false],
  ['json:n.rawjson', { body: Buffer.from('{"n":822106502566256641}') }, false],
  ['header:x-place=*zürich*', { headers: [['X-Place', Buffer.from('Zürich 東京').toString('latin1')]] }, true],
  ['header:x-place=*zürich*', { headers: [['X-Place', 'Z\u00fcrich']] }, true],
  ['東京', { headers: [['X-Place', Buffer.from('Zürich 東京').toString('latin1')]] }, true],
  ['method:post status:204', {}, true],
  ['method:post status:500', {}, false],
  ['method:get OR status:204', {}, true],
  ['-method:get', {}, true],
])('%s %j: %s', (query, changes, isMatch) => {
  expect(matches(query, changes)).toBe(isMatch);
});

test('validates and decodes a callback only if a term needs it', () => {
  const fail = () => {
    throw new Error('not needed');
  };
  expect(fitsQuery(parseCallbackQuery('status:500 is:error body:x'), storedCallback(), fail, fail)).toBe(false);
});
