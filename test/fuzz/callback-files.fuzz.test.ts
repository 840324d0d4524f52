// Files of callbacks from other programs: HAR, JSON and NDJSON. Whatever they contain, an entry is stored or refused with a message,
// or the file is refused as a whole; nothing throws otherwise, and nothing odd reaches the store.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createCallbackImport } from '#core/callbacks/callback-import.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { oddJson, oddJsonText } from './odd-json.ts';

const names = [
  'log',
  'entries',
  'request',
  'method',
  'url',
  'headers',
  'postData',
  'text',
  'startedDateTime',
  'body',
  'id',
];

const request = fc.record({
  method: fc.oneof(fc.constantFrom('POST', 'post', '', 'GET\r\nX: 1'), oddJson(names)),
  url: fc.oneof(fc.constantFrom('http://127.0.0.1/hooks/a', '/a b', '//', '\u0000'), oddJson(names)),
  headers: fc.oneof(
    fc.array(fc.record({ name: oddJson(names), value: oddJson(names) }), { maxLength: 3 }),
    oddJson(names),
  ),
  postData: fc.oneof(fc.record({ text: oddJson(names), encoding: fc.constantFrom('base64', 'x') }), oddJson(names)),
});
const har = fc
  .array(fc.record({ startedDateTime: fc.oneof(fc.constant('2026-11-21T06:00:00Z'), oddJson(names)), request }), {
    maxLength: 4,
  })
  .map((entries) => JSON.stringify({ log: { version: '1.2', entries } }));
const file = fc.oneof(har, oddJsonText(names));

for (const format of ['har', 'json', 'ndjson'] as const) {
  test(`a ${format} file of any content is read, or refused with a message`, async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.nat(60), async (text, cut) => {
        const stored: ReceivedCallback[] = [];
        const importPiece = createCallbackImport(async (rows) => void stored.push(...rows));
        const read = async () => {
          const begun = await importPiece({ importId: null, format, piece: text.slice(0, cut), isLast: false });
          return importPiece({ importId: begun.importId, format, piece: text.slice(cut), isLast: true });
        };
        const outcome = await read().catch((error: unknown) => error);
        const isRefusal =
          outcome instanceof AppFailure && outcome.code === 'INVALID_INPUT' && outcome.message.length > 10;
        expect(isRefusal || (typeof outcome === 'object' && outcome !== null && 'imported' in outcome)).toBe(true);
        expect(stored.filter(({ method, body }) => typeof method !== 'string' || !Buffer.isBuffer(body))).toEqual([]);
      }),
    );
  });
}
