// T29: connections to a file and back: without secrets unless asked, then under a passphrase; a foreign, old, changed or
// malformed file is refused with a message, entry by entry, and nothing is half done.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import type { CoreHarness } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { fieldsFor, startAccess } from './access-harness.ts';

const passphrase = 'three short words';

async function startWithTwo() {
  const service = await startFakeService();
  const harness = await startAccess({ sandbox: service.introduction });
  const fields = fieldsFor(service.introduction);
  const ids = [
    (await harness.client.connections.create({ ...fields, clientSecret: 'hush hush 1' })).id,
    (await harness.client.connections.create({ ...fields, name: 'Phones', isPublic: true, clientSecret: null })).id,
  ];
  return { ...harness, ids, fields };
}

async function startEmpty(): Promise<CoreHarness> {
  const service = await startFakeService();
  return startAccess({ sandbox: service.introduction });
}

const withoutId = ({ id: _id, ...fields }: { id: string }) => fields;

describe('an export (docs/tokens.md T29)', () => {
  test('has no secret and no token unless a passphrase is given, and is readable JSON', async () => {
    const { client, ids, host } = await startWithTwo();
    const { text, fileName, secretCount } = await client.connections.export({ ids, passphrase: null });
    expect(fileName).toMatch(/^rainbell-connections-\d{4}-\d\d-\d\d\.json$/);
    expect(secretCount).toBe(0);
    const file = JSON.parse(text) as { connections: ConnectionFields[]; secrets: unknown };
    expect(file).toMatchObject({ kind: 'rainbell connections', version: 1, secrets: null });
    expect(file.connections.map(({ name }) => name)).toEqual(['Staging', 'Phones']);
    for (const secret of ['hush', ...host.stored.values()]) expect(text).not.toContain(secret);
  });

  test('with a passphrase has the secrets, but not in clear, and twice the same differs', async () => {
    const { client, ids } = await startWithTwo();
    const first = await client.connections.export({ ids, passphrase });
    const second = await client.connections.export({ ids, passphrase });
    expect(first.secretCount).toBe(1);
    expect(first.text).not.toContain('hush');
    expect(first.text).not.toContain(Buffer.from('hush').toString('base64').slice(0, 5));
    expect(first.text).not.toContain(passphrase);
    const data = (text: string) => (JSON.parse(text) as { secrets: { data: string } }).secrets.data;
    expect(data(first.text)).not.toBe(data(second.text));
  });

  test('is refused for a short passphrase, for the sandbox and for what is no longer there', async () => {
    const { client, ids } = await startWithTwo();
    await expect(client.connections.export({ ids, passphrase: 'short' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'passphrase' },
    });
    await expect(client.connections.export({ ids: ['sandbox'], passphrase: null })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('an import (docs/tokens.md T29)', () => {
  test('on another machine brings the same connections and secrets', async () => {
    const from = await startWithTwo();
    const { text } = await from.client.connections.export({ ids: from.ids, passphrase });
    const { client, host } = await startEmpty();
    const locked = await client.connections.previewImport({ text, passphrase: null });
    expect(locked.secrets).toBe('locked');
    const preview = await client.connections.previewImport({ text, passphrase });
    expect(preview).toMatchObject({ secrets: 'open', exportedAt: expect.any(String) });
    expect(preview.entries.map(({ outcome, savedAs, hasSecret }) => [outcome, savedAs, hasSecret])).toEqual([
      ['added', 'Staging', true],
      ['added', 'Phones', false],
    ]);
    expect((await client.connections.list()).connections).toHaveLength(1);
    await client.connections.import({ text, passphrase, indexes: [0, 1] });
    const theirs = (await from.client.connections.list()).connections.slice(1).map(withoutId);
    const ours = (await client.connections.list()).connections.slice(1);
    expect(ours.map(withoutId)).toEqual(theirs);
    expect(ours.map(({ hasSecret }) => hasSecret)).toEqual([false, true]);
    const staging = ours.find(({ name }) => name === 'Staging');
    expect(host.stored.get(`client secret ${staging?.id}`)).toBe('hush hush 1');
  });

  test('renames what clashes, also within the file and whatever the case, and says so', async () => {
    const { client, ids, fields } = await startWithTwo();
    const { text } = await client.connections.export({ ids, passphrase: null });
    const file = JSON.parse(text) as { connections: ConnectionFields[] };
    file.connections.push({ ...fields, name: 'staging' }, { ...fields, name: 'Sandbox' }, { ...fields, name: 'New' });
    const changed = JSON.stringify(file);
    const { entries } = await client.connections.previewImport({ text: changed, passphrase: null });
    expect(entries.map(({ outcome, savedAs }) => [outcome, savedAs])).toEqual([
      ['renamed', 'Staging (2)'],
      ['renamed', 'Phones (2)'],
      ['renamed', 'staging (3)'],
      ['renamed', 'Sandbox (2)'],
      ['added', 'New'],
    ]);
    expect(entries[0]?.notes.join(' ')).toContain('A connection named Staging already exists');
    expect(entries[4]?.notes.join(' ')).toContain('already uses this client ID with the same service');
    const done = await client.connections.import({ text: changed, passphrase: null, indexes: [0, 4] });
    expect(done.entries.map(({ savedAs }) => savedAs)).toEqual(['Staging (2)', 'New']);
    const names = (await client.connections.list()).connections.map(({ name }) => name);
    expect(names.toSorted()).toEqual(['New', 'Phones', 'Sandbox', 'Staging', 'Staging (2)']);
  });

  test('never replaces the secret of what was there', async () => {
    const { client, ids, host } = await startWithTwo();
    const { text } = await client.connections.export({ ids, passphrase });
    await client.connections.update({ id: ids[0] ?? '', changes: {}, clientSecret: 'a newer one' });
    await client.connections.import({ text, passphrase, indexes: [0] });
    expect(host.stored.get(`client secret ${ids[0]}`)).toBe('a newer one');
  });

  const whole = (connections: unknown, others: object = {}) =>
    JSON.stringify({ kind: 'rainbell connections', version: 1, connections, ...others });
  const good = { name: 'A', baseUrl: 'https://a.example', authUrl: 'https://a.example', clientId: 'a' };

  test.each([
    ['no JSON', '{"kind": "rainbell conn', /isn’t valid JSON/],
    ['nothing', '', /isn’t valid JSON/],
    ['a list', '[1, 2]', /not a Rainbell connections file/],
    [
      'an environment of Postman',
      '{"id":"1","name":"dev","values":[],"_postman_variable_scope":"environment"}',
      /not a/,
    ],
    [
      'an export of Insomnia',
      '{"_type":"export","__export_format":4,"resources":[]}',
      /not a Rainbell connections file/,
    ],
    ['a file without a version', '{"kind":"rainbell connections","connections":[]}', /has no version/],
    ['an old file', whole([good], { version: 0 }), /unknown version \(0\)/],
    ['a newer file', whole([good], { version: 2 }), /newer version of Rainbell.*Update/],
    ['a file without connections', whole([]), /doesn’t contain any connections/],
    ['connections that are no list', whole({ a: good }), /must be a list/],
    ['damaged secrets', whole([good], { secrets: { cipher: 'rot13' } }), /secrets in the file are damaged/],
    [
      'a key that would take the machine down',
      whole([good], {
        secrets: {
          key: { function: 'scrypt', n: 2 ** 30, r: 8, p: 1, salt: '' },
          cipher: 'aes-256-gcm',
          iv: '',
          tag: '',
          data: '',
        },
      }),
      /damaged, or in an unknown format/,
    ],
  ])('of %s is refused with a message', async (_what, text, words) => {
    const { client } = await startEmpty();
    await expect(client.connections.previewImport({ text, passphrase: null })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'file' },
      message: expect.stringMatching(words),
    });
  });

  test.each([
    ['a text', 'https://a.example', /not an object/],
    ['no name', { ...good, name: undefined }, /name is missing/],
    ['no address', { ...good, baseUrl: undefined }, /base URL \(baseUrl\) is missing/],
    ['a number for a name', { ...good, name: 7 }, /The name should be text, but is a number\./],
    ['an unknown colour', { ...good, color: 'pink' }, /“color” should be one of /],
    ['plain http', { ...good, baseUrl: 'http://a.example' }, /https/],
    ['a script for an address', { ...good, authUrl: 'javascript:alert(1)' }, /https/],
    ['a private key', { ...good, caPem: '-----BEGIN PRIVATE KEY-----' }, /private key/],
    ['a password in the proxy', { ...good, proxyUrl: 'http://me:you@proxy:1' }, /username or password/],
  ])('names what is wrong with an entry that is or has %s, and takes the others', async (_what, entry, words) => {
    const { client } = await startEmpty();
    const text = whole([entry, good]);
    const { entries } = await client.connections.previewImport({ text, passphrase: null });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['refused', 'added']);
    expect(entries[0]?.notes.join(' ')).toMatch(words);
    await expect(client.connections.import({ text, passphrase: null, indexes: [0, 1] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('Nothing was imported'),
    });
    expect((await client.connections.list()).connections).toHaveLength(1);
    await client.connections.import({ text, passphrase: null, indexes: [1] });
    expect((await client.connections.list()).connections.map(({ name }) => name)).toEqual(['Sandbox', 'A']);
  });

  test('does not accept a plain-text secret in a hand-written file, and reports it', async () => {
    const { client } = await startEmpty();
    const text = whole([{ ...good, clientSecret: 'hush' }]);
    const { entries } = await client.connections.previewImport({ text, passphrase: null });
    expect(entries[0]).toMatchObject({ outcome: 'added', hasSecret: false });
    expect(entries[0]?.notes.join(' ')).toContain('clientSecret');
  });

  test('opens nothing with another passphrase, or if a URL was changed beside a secret', async () => {
    const { client, ids } = await startWithTwo();
    const { text } = await client.connections.export({ ids, passphrase });
    const wrong = { code: 'INVALID_INPUT', data: { field: 'passphrase' } };
    await expect(client.connections.previewImport({ text, passphrase: 'another one' })).rejects.toMatchObject(wrong);
    const file = JSON.parse(text) as { connections: ConnectionFields[] };
    if (file.connections[0]) file.connections[0].baseUrl = 'https://thief.example';
    const changed = JSON.stringify(file);
    await expect(client.connections.previewImport({ text: changed, passphrase })).rejects.toMatchObject(wrong);
    // Laid out otherwise it is still the same file.
    const again = JSON.stringify(JSON.parse(text), undefined, 8);
    expect((await client.connections.previewImport({ text: again, passphrase })).secrets).toBe('open');
  });

  test('leaves nothing behind if the settings cannot be written', async () => {
    const from = await startWithTwo();
    const { text } = await from.client.connections.export({ ids: from.ids, passphrase });
    const { client, host } = await startEmpty();
    const before = new Map(host.stored);
    host.settings.write = () => {
      throw new Error('ENOSPC: no space left on device');
    };
    await expect(client.connections.import({ text, passphrase, indexes: [0, 1] })).rejects.toMatchObject({
      code: 'STORAGE',
    });
    const added = [...host.stored.keys()].filter((name) => !before.has(name) && name.startsWith('client secret'));
    expect(added).toEqual([]);
    expect((await client.connections.list()).connections).toHaveLength(1);
  });
});
