// What an import of connections does with each entry of the file.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { decideImport } from '#core/connection/decide-import.ts';
import { goodFields } from '#test/core/connection-double.ts';

const good = {
  ...goodFields,
  name: 'A',
  color: 'gray',
  baseUrl: 'https://a.example',
  authUrl: 'https://a.example/auth',
  clientId: 'a',
} satisfies ConnectionFields;

describe('an import', () => {
  const report = { index: 0, name: 'A', baseUrl: 'https://a.example', savedAs: 'A', notes: [] };
  const added = { ...report, outcome: 'added' };

  test.each([
    ['as it is', good, { report: added, fields: good }],
    [
      'with the defaults of the form',
      { name: ' A ', baseUrl: 'https://a.example/', authUrl: '', clientId: 'a' },
      { report: added, fields: { ...good, authUrl: '', redirectUri: '', scope: '' } },
    ],
  ])('takes an entry %s', (_, entry, decision) => {
    expect(decideImport([entry], [])).toStrictEqual([decision]);
  });

  const withoutTls = { ...good, baseUrl: 'http://a.example' };
  const shownOf = ({ name, baseUrl }: typeof good) => ({ name, baseUrl });
  const refused = { index: 0, name: 'Entry 1', baseUrl: '', outcome: 'refused', savedAs: null };

  test.each<[string, unknown, object, RegExp]>([
    ['a text', 'https://a.example', {}, /not an object/],
    ['null', null, {}, /not an object/],
    ['nothing', {}, {}, /^The name is missing\.$/],
    ['no name', { ...good, name: undefined }, { baseUrl: good.baseUrl }, /^The name is missing\.$/],
    ['no address', { ...good, baseUrl: undefined }, { name: 'A' }, /\(baseUrl\) is missing\.$/],
    ['no sign-in address', { ...good, authUrl: undefined }, shownOf(good), /\(authUrl\) is missing\.$/],
    ['no client', { ...good, clientId: undefined }, shownOf(good), /\(clientId\) is missing\.$/],
    ['a wrong color', { ...good, color: 'neon' }, shownOf(good), /“color” should be one of /],
    ['an address without TLS', withoutTls, shownOf(withoutTls), /https/],
    ['a long name', { ...good, name: 'n'.repeat(300) }, { name: 'n'.repeat(200), baseUrl: good.baseUrl }, /name/],
    ['a number as name', { ...good, name: 7 }, { baseUrl: good.baseUrl }, /The name should be text, but is a number\./],
  ])('refuses %s', (_, entry, shown, words) => {
    expect(decideImport([entry], [])).toStrictEqual([
      { report: { ...refused, ...shown, notes: [expect.stringMatching(words)] } },
    ]);
  });

  test('finds free names, also among each other, and says what differs', () => {
    const known = [
      { name: 'a', baseUrl: 'https://other.example', clientId: 'a' },
      { name: 'A (2)', baseUrl: good.baseUrl, clientId: 'other' },
      { name: 'Twin', baseUrl: good.baseUrl, clientId: 'a' },
    ];
    const long = 'n'.repeat(100);
    const entries = [
      good,
      { ...good, clientId: 'b' },
      { ...good, name: long, clientId: 'b' },
      { ...good, name: long, x: 1, 'y y': 2 },
    ];
    const decisions = decideImport(entries, known);
    expect(decisions.map(({ fields }) => fields?.name)).toEqual(['A (3)', 'A (4)', long, `${'n'.repeat(96)} (2)`]);
    expect(decisions.map(({ report: { index, name, outcome, savedAs } }) => [index, name, outcome, savedAs])).toEqual([
      [0, 'A', 'renamed', 'A (3)'],
      [1, 'A', 'renamed', 'A (4)'],
      [2, long, 'added', long],
      [3, long, 'renamed', `${'n'.repeat(96)} (2)`],
    ]);
    expect(decisions.map(({ report: { notes } }) => notes)).toEqual([
      [expect.stringMatching(/A.*A \(3\)/), expect.stringContaining('Twin')],
      [expect.stringMatching(/A.*A \(4\)/)],
      [],
      [expect.stringContaining('(2)'), expect.stringContaining('Twin'), expect.stringMatching(/x, y y\.$/)],
    ]);
  });

  test('names at most 200 characters of unknown members', () => {
    const [decision] = decideImport([{ ...good, ['u'.repeat(300)]: 1 }], []);
    expect(decision?.report.notes[0]?.match(/u{200}\.$/)?.[0]).toHaveLength(201);
    expect(decision?.report.notes[0]).not.toContain('u'.repeat(201));
  });
});
