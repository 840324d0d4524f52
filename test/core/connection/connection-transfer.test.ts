// T29: connections to a file and back; a file of something else is refused with a message. connection-entries.test.ts has what an import
// does with each entry.
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

test('an export is readable JSON, and its import brings the same connections, renamed if they are there (docs/tokens.md T29)', () => {
  const { fileName, text } = start(two).transfer.export();
  expect(fileName).toBe('rainbell-connections-2026-11-21.json');
  expect(text).toMatch(
    /^\{\n {2}"kind": "rainbell connections",\n {2}"version": 1,\n {2}"exportedAt": "2026-11-21T06:/,
  );
  const other = start();
  for (const [names, outcome] of [
    [['Staging', 'Phones'], 'added'],
    [['Staging (2)', 'Phones (2)'], 'renamed'],
  ] as const) {
    const { entries } = other.transfer.import(text);
    expect(entries.map(({ outcome: found, savedAs }) => [found, savedAs])).toEqual(
      names.map((name) => [outcome, name]),
    );
  }
  expect(other.saved().map((one) => ({ ...one, id: '' }))).toEqual(
    ['', ' (2)'].flatMap((end) => two.map((one) => ({ ...one, id: '', name: `${one.name}${end}` }))),
  );
  expect(new Set(other.saved().map(({ id }) => id)).size).toBe(4);
  expect(other.counts.changed).toBe(2);
});

describe('an import (docs/tokens.md T29)', () => {
  const whole = (connections: unknown, others: object = {}) =>
    JSON.stringify({ kind: 'rainbell connections', version: 1, connections, ...others });

  test('renames one with the name of the sandbox', () => {
    const { entries } = start().transfer.import(whole([{ ...goodFields, name: 'sandbox' }]));
    expect(entries).toMatchObject([{ outcome: 'renamed', savedAs: 'sandbox (2)' }]);
  });

  test.each([
    ['no JSON', '{"kind": "rainbell conn', /isn’t valid JSON/],
    ['nothing', '', /isn’t valid JSON/],
    ['a list', '[1, 2]', /not a Rainbell connections file/],
    ['an environment of Postman', '{"id":"1","name":"dev","_postman_variable_scope":"environment"}', /not a/],
    ['a newer file', whole([goodFields], { version: 2 }), /format version 2; it must be 1/],
    ['a file without connections', whole([]), /doesn’t contain any connections/],
    ['connections that are no list', whole({ a: goodFields }), /must be a list/],
  ])('of %s is refused with a message', (_what, text, words) => {
    const { transfer, saved } = start();
    const refusal = { code: 'INVALID_INPUT', details: { field: 'file' }, message: expect.stringMatching(words) };
    expect(() => transfer.import(text)).toThrow(expect.objectContaining(refusal));
    expect(saved()).toEqual([]);
  });
});
