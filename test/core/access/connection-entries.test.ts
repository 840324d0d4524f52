// The file of connections, sealed and opened here as RFC 7914 (scrypt) and NIST SP 800-38D (AES-GCM) say, and what an import does
// with each entry.
import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { openSecrets, readConnectionFile, writeConnectionFile } from '#core/connection/connection-file.ts';
import { decideImport } from '#core/connection/connection-import.ts';

const good = {
  name: 'A',
  color: 'gray',
  baseUrl: 'https://a.example',
  authUrl: 'https://a.example/auth',
  clientId: 'a',
  isPublic: false,
  redirectUri: 'https://app.example/',
  scope: 'post_metag',
  caPem: null,
  proxyUrl: null,
} satisfies ConnectionFields;
const passphrase = 'Å three short words';
const now = Date.UTC(2026, 10, 23, 12);

type SealChanges = { n?: number; p?: number; entries?: unknown; plain?: string; typed?: string };

function sealed({ n = 2 ** 14, p = 1, entries = [good], plain = '["hush"]', typed = passphrase }: SealChanges = {}) {
  const [salt, iv] = [Buffer.alloc(16, 1), Buffer.alloc(12, 2)];
  const key = scryptSync(typed.normalize('NFKC'), salt, 32, { N: n, r: 8, p, maxmem: 256 * 1024 * 1024 });
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(JSON.stringify(['rainbell connections', 1, entries])));
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return {
    key: { function: 'scrypt', n, r: 8, p, salt: salt.toString('base64') },
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

const fileWith = (changes: object = {}) =>
  JSON.stringify({ kind: 'rainbell connections', version: 1, connections: [good], ...changes });
const refusedFile = expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'file' } });

describe('a file of connections', () => {
  test('is written as readable JSON, without secrets', async () => {
    expect(await writeConnectionFile([good], null, now)).toBe(
      `${JSON.stringify({ kind: 'rainbell connections', version: 1, exportedAt: '2026-11-23T12:00:00.000Z', connections: [good], secrets: null }, undefined, 2)}\n`,
    );
  });

  test('seals its secrets so that another program can open them', async () => {
    const text = await writeConnectionFile(
      [good, good],
      { passphrase: 'A\u030A three short words', values: ['hush', null] },
      now,
    );
    const { secrets } = JSON.parse(text) as { secrets: ReturnType<typeof sealed> };
    expect(secrets).toEqual({
      key: { function: 'scrypt', n: 32_768, r: 8, p: 1, salt: expect.any(String) },
      cipher: 'aes-256-gcm',
      iv: expect.any(String),
      tag: expect.any(String),
      data: expect.any(String),
    });
    const bytes = (base64: string) => Buffer.from(base64, 'base64');
    expect([bytes(secrets.key.salt), bytes(secrets.iv), bytes(secrets.tag)].map(({ length }) => length)).toEqual([
      16, 12, 16,
    ]);
    const key = scryptSync(passphrase, bytes(secrets.key.salt), 32, {
      N: 32_768,
      r: 8,
      p: 1,
      maxmem: 64 * 1024 * 1024,
    });
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(secrets.iv));
    decipher.setAAD(Buffer.from(JSON.stringify(['rainbell connections', 1, [good, good]])));
    decipher.setAuthTag(bytes(secrets.tag));
    expect(decipher.update(secrets.data, 'base64', 'utf8') + decipher.final('utf8')).toBe('["hush",null]');
  });

  test('needs a passphrase of 8 characters', async () => {
    const write = (typed: string) => writeConnectionFile([good], { passphrase: typed, values: [null] }, now);
    await expect(write('1234567')).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'passphrase' } });
    expect(await write('12345678')).toContain('scrypt');
  });

  test('is read with and without a time and secrets', () => {
    const none = { exportedAt: null, entries: [good], sealed: null };
    expect(readConnectionFile(fileWith())).toEqual(none);
    expect(readConnectionFile(`\uFEFF${fileWith({ exportedAt: null, secrets: null })}`)).toEqual(none);
    expect(readConnectionFile(fileWith({ exportedAt: 'yesterday' }))).toEqual(none);
    expect(readConnectionFile(fileWith({ exportedAt: '2026-11-23T12:00:00.000Z', secrets: sealed() }))).toEqual({
      exportedAt: '2026-11-23T12:00:00.000Z',
      entries: [good],
      sealed: sealed(),
    });
    const many = (length: number) => fileWith({ connections: Array.from({ length }, () => 1) });
    expect(readConnectionFile(many(500)).entries).toHaveLength(500);
    expect(() => readConnectionFile(many(501))).toThrow(refusedFile);
  });

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['another kind', fileWith({ kind: 'other' })],
    ['no version', fileWith({ version: '1' })],
    ['an old version', fileWith({ version: 0 })],
    ['a newer version', fileWith({ version: 2 })],
    ['no entries', fileWith({ connections: [] })],
    ['no list', fileWith({ connections: {} })],
    ['another function', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, function: 'argon2' } } })],
    ['a low cost', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, n: 2 ** 13 } } })],
    ['a high cost', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, n: 2 ** 18 } } })],
    ['another block size', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, r: 16 } } })],
    ['no parallelism', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, p: 0 } } })],
    ['much parallelism', fileWith({ secrets: { ...sealed(), key: { ...sealed().key, p: 3 } } })],
    ['another cipher', fileWith({ secrets: { ...sealed(), cipher: 'aes-128-gcm' } })],
    ['no base64', fileWith({ secrets: { ...sealed(), iv: '?' } })],
  ])('is refused with %s', (_, text) => {
    expect(() => readConnectionFile(text)).toThrow(refusedFile);
  });

  test('says why it is refused', () => {
    const messages = [
      '',
      '[]',
      fileWith({ version: '1' }),
      fileWith({ version: 0 }),
      fileWith({ version: 2 }),
      fileWith({ connections: [] }),
      fileWith({ connections: {} }),
      fileWith({ secrets: 1 }),
    ].map((text) => {
      try {
        return JSON.stringify(readConnectionFile(text));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    });
    expect(new Set(messages).size).toBe(messages.length);
    expect(messages[4]).toMatch(/version 2.*version 1/);
    expect(messages[6]).toMatch(/“connections”.*500/);
  });

  const opened = (changes: SealChanges = {}, typed = passphrase, entries: readonly unknown[] = [good]) =>
    openSecrets(
      {
        exportedAt: null,
        entries,
        sealed: readConnectionFile(fileWith({ secrets: sealed(changes) })).sealed ?? fail(),
      },
      typed,
    );

  test.each([{}, { n: 2 ** 15 }, { n: 2 ** 16 }, { n: 2 ** 17 }, { p: 2 }])(
    'sealed by another program with %o is opened',
    async (cost) => {
      expect(await opened(cost)).toEqual(['hush']);
    },
  );

  test('is opened with the passphrase of a system that composes characters otherwise', async () => {
    expect(await opened({}, passphrase.normalize('NFD'))).toEqual(['hush']);
  });

  test.each<[string, SealChanges, string?, unknown[]?]>([
    ['another passphrase', {}, 'another one'],
    ['other entries', {}, passphrase, [{ ...good, baseUrl: 'https://evil.example' }]],
    ['fewer secrets', { plain: '[]' }],
    ['more secrets', { plain: '["a","b"]' }],
    ['no list', { plain: '{}' }],
    ['a long secret', { plain: JSON.stringify(['a'.repeat(1025)]) }],
  ])('is not opened with %s', async (_, changes, typed, entries) => {
    await expect(opened(changes, typed, entries)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'passphrase' },
    });
  });

  test('may have secrets of 1024 characters', async () => {
    expect(await opened({ plain: JSON.stringify(['a'.repeat(1024)]) })).toEqual(['a'.repeat(1024)]);
  });
});

function fail(): never {
  throw new Error('not sealed');
}

describe('an import', () => {
  const report = { index: 0, name: 'A', baseUrl: 'https://a.example', savedAs: 'A', hasSecret: false, notes: [] };
  const added = { ...report, outcome: 'added' };

  test.each([
    ['as it is', good, null, { report: added, fields: good }],
    ['with its secret', good, ' hush\n', { report: { ...added, hasSecret: true }, fields: good, clientSecret: 'hush' }],
    [
      'of a public client without a secret',
      { ...good, isPublic: true },
      'hush',
      { report: added, fields: { ...good, isPublic: true } },
    ],
    [
      'with the defaults of the form',
      { name: ' A ', baseUrl: 'https://a.example/', authUrl: '', clientId: 'a' },
      null,
      { report: added, fields: { ...good, authUrl: '', redirectUri: '', scope: '' } },
    ],
  ])('takes an entry %s', (_, entry, secret, decision) => {
    expect(decideImport([entry], [secret], [])).toStrictEqual([decision]);
    const withoutSecrets = secret === null ? decideImport([entry], undefined, []) : [decision];
    expect(withoutSecrets).toStrictEqual([decision]);
  });

  const refused = { index: 0, name: 'Entry 1', baseUrl: '', outcome: 'refused', savedAs: null, hasSecret: false };

  test.each<[string, unknown, object, RegExp]>([
    ['a text', 'https://a.example', {}, /not an object/],
    ['null', null, {}, /not an object/],
    ['nothing', {}, {}, /^The name is missing\.$/],
    ['no name', { ...good, name: undefined }, { baseUrl: good.baseUrl }, /^The name is missing\.$/],
    ['no address', { ...good, baseUrl: undefined }, { name: 'A' }, /\(baseUrl\) is missing\.$/],
    [
      'no sign-in address',
      { ...good, authUrl: undefined },
      { name: 'A', baseUrl: good.baseUrl },
      /\(authUrl\) is missing\.$/,
    ],
    ['no client', { ...good, clientId: undefined }, { name: 'A', baseUrl: good.baseUrl }, /\(clientId\) is missing\.$/],
    ['a wrong color', { ...good, color: 'neon' }, { name: 'A', baseUrl: good.baseUrl }, /“color”/],
    [
      'an address without TLS',
      { ...good, baseUrl: 'http://a.example' },
      { name: 'A', baseUrl: 'http://a.example' },
      /https/,
    ],
    ['a long name', { ...good, name: 'n'.repeat(300) }, { name: 'n'.repeat(200), baseUrl: good.baseUrl }, /name/],
    ['a number as name', { ...good, name: 7 }, { baseUrl: good.baseUrl }, /name/],
  ])('refuses %s', (_, entry, shown, words) => {
    expect(decideImport([entry], undefined, [])).toStrictEqual([
      { report: { ...refused, ...shown, notes: [expect.stringMatching(words)] } },
    ]);
  });

  test('refuses a secret that none can be', () => {
    expect(decideImport([good], ['ü'], [])).toMatchObject([{ report: { outcome: 'refused', hasSecret: false } }]);
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
    const decisions = decideImport(entries, undefined, known);
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
    const [decision] = decideImport([{ ...good, ['u'.repeat(300)]: 1 }], undefined, []);
    expect(decision?.report.notes[0]?.match(/u{200}\.$/)?.[0]).toHaveLength(201);
    expect(decision?.report.notes[0]).not.toContain('u'.repeat(201));
  });
});
