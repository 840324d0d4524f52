// T29: connections to a file and back; a file of something else is refused with a message.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { createConnectionTransfer } from '#core/connection/connection-transfer.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { goodFields } from '#test/core/connection-double.ts';
import { createMemoryHost } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

function start(connections: (ConnectionFields & { id: string })[] = []) {
  const settings = createAppSettings(createMemoryHost({ connections }).settings, () => {});
  const counts = { changed: 0 };
  const onChanged = () => void (counts.changed += 1);
  const transfer = createConnectionTransfer({ settings, clock: createManualClock(), onChanged });
  return { transfer, counts, saved: () => settings.get().connections };
}

const two = [
  { ...goodFields, id: 'a', name: 'Staging' },
  { ...goodFields, id: 'b', name: 'Phones', isPublic: true },
];

test('an export is readable JSON, and its import brings the same connections, once (docs/tokens.md T29)', () => {
  const { fileName, text } = start(two).transfer.export();
  expect(fileName).toBe('rainbell-connections-2026-11-21.json');
  expect(text).toMatch(
    /^\{\n {2}"kind": "rainbell connections",\n {2}"version": 1,\n {2}"exportedAt": "2026-11-21T06:/,
  );
  const other = start();
  expect(other.transfer.import(text)).toEqual({ names: ['Staging', 'Phones'], refused: [] });
  const refused = ['Staging', 'Phones'].map(
    (name, index) =>
      `Connection ${index + 1} of the file can’t be used: Another connection is named “${name}”. Rename one of them, and import the file again.`,
  );
  expect(other.transfer.import(text)).toEqual({ names: [], refused });
  expect(other.saved().map((one) => ({ ...one, id: '' }))).toEqual(two.map((one) => ({ ...one, id: '' })));
  expect(new Set(other.saved().map(({ id }) => id)).size).toBe(2);
  expect(other.counts.changed).toBe(1);
});

describe('an import (docs/tokens.md T29)', () => {
  const whole = (connections: unknown, others: object = {}) =>
    JSON.stringify({ kind: 'rainbell connections', version: 1, connections, ...others });

  test('refuses what has the name of the sandbox, or of another in the file', () => {
    const entries = ['sandbox', 'One', 'one'].map((name) => ({ ...goodFields, name }));
    const { names, refused } = start().transfer.import(whole(entries));
    expect(names).toEqual(['One']);
    expect(refused.map((sentence) => sentence.slice(0, 12))).toEqual(['Connection 1', 'Connection 3']);
  });

  test('adds the good ones of a file, and says of each other why it was refused', () => {
    const { transfer, saved } = start();
    const entries = [
      goodFields,
      { ...goodFields, baseUrl: undefined },
      { ...goodFields, baseUrl: 'http://a.example' },
      7,
    ];
    expect(transfer.import(whole(entries))).toEqual({
      names: [goodFields.name],
      refused: [
        expect.stringMatching(/^Connection 2 of the file can’t be used: baseUrl: is missing\.$/),
        expect.stringMatching(/^Connection 3 .*The base URL.*https/),
        expect.stringMatching(/^Connection 4 .*should be an object/),
      ],
    });
    expect(saved()).toMatchObject([goodFields]);
  });

  test.each([
    ['no JSON', '{"kind": "rainbell conn', /not a file that Rainbell can import/],
    [
      'an environment of Postman',
      '{"id":"1","name":"dev","_postman_variable_scope":"environment"}',
      /kind: is missing/,
    ],
    ['a newer file', whole([goodFields], { version: 2 }), /version: should be 1/],
    ['a file without connections', whole([]), /connections: should have at least 1 item/],
  ])('of %s is refused with a message', (_what, text, words) => {
    const { transfer, saved } = start();
    const refusal = { code: 'INVALID_INPUT', details: { field: 'file' }, message: expect.stringMatching(words) };
    expect(() => transfer.import(text)).toThrow(expect.objectContaining(refusal));
    expect(saved()).toEqual([]);
  });
});
