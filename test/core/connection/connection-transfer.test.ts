// T29: connections to a file and back, without secrets; a file of something else is refused with a message, and an entry that can't
// be imported doesn't keep out the others.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import type { CoreHarness } from '#test/core/core-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { fieldsFor, startAccess } from '#test/core/session/access-harness.ts';

async function startWithTwo() {
  const service = await startFakeService();
  const harness = await startAccess({ sandbox: service.introduction });
  const fields = fieldsFor(service.introduction);
  await harness.client.connections.create({ ...fields, clientSecret: 'hush hush 1' });
  await harness.client.connections.create({ ...fields, name: 'Phones', isPublic: true, clientSecret: null });
  return { ...harness, fields };
}

async function startEmpty(): Promise<CoreHarness> {
  const service = await startFakeService();
  return startAccess({ sandbox: service.introduction });
}

describe('an export (docs/tokens.md T29)', () => {
  test('has the connections without secrets and tokens, as readable JSON', async () => {
    const { client, host } = await startWithTwo();
    const { text, fileName } = await client.connections.export();
    expect(fileName).toMatch(/^rainbell-connections-\d{4}-\d\d-\d\d\.json$/);
    const file = JSON.parse(text) as { connections: ConnectionFields[] };
    expect(file).toMatchObject({ kind: 'rainbell connections', version: 1, exportedAt: expect.any(String) });
    expect(file.connections.map(({ name }) => name).toSorted()).toEqual(['Phones', 'Staging']);
    for (const secret of ['hush', ...host.stored.values()]) expect(text).not.toContain(secret);
  });
});

describe('an import (docs/tokens.md T29)', () => {
  test('on another machine brings the same connections', async () => {
    const from = await startWithTwo();
    const { text } = await from.client.connections.export();
    const { client } = await startEmpty();
    const { entries } = await client.connections.import({ text });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
    const fieldsOf = async (app: Pick<CoreHarness, 'client'>) =>
      (await app.client.connections.list()).connections.slice(1).map((one) => ({ ...one, id: '', hasSecret: null }));
    expect(await fieldsOf({ client })).toEqual(await fieldsOf(from));
  });

  // connection-entries.test.ts has more, and what is refused.
  test('renames what clashes, also within the file and whatever the case, and says so', async () => {
    const { client, fields, host } = await startWithTwo();
    const { text } = await client.connections.export();
    const file = JSON.parse(text) as { connections: ConnectionFields[] };
    const names = file.connections.map(({ name }) => name);
    file.connections.push({ ...fields, name: 'staging' }, { ...fields, name: 'Sandbox' });
    // Written by hand.
    file.connections.push({ ...fields, name: 'New', clientSecret: 'hush' } as ConnectionFields);
    const { entries } = await client.connections.import({ text: JSON.stringify(file) });
    expect(entries.map(({ outcome, savedAs }) => [outcome, savedAs])).toEqual([
      ...names.map((name) => ['renamed', `${name} (2)`]),
      ['renamed', 'staging (3)'],
      ['renamed', 'Sandbox (2)'],
      ['added', 'New'],
    ]);
    expect(entries[0]?.notes.join(' ')).toContain(`A connection named ${names[0]} already exists`);
    expect(entries[4]?.notes.join(' ')).toContain('already uses this client ID with the same service');
    // A secret in the file is skipped, and reported.
    expect(entries[4]?.notes.join(' ')).toContain('clientSecret');
    expect([...host.stored.values()]).not.toContain('hush');
    expect((await client.connections.list()).connections).toHaveLength(8);
  });

  const whole = (connections: unknown, others: object = {}) =>
    JSON.stringify({ kind: 'rainbell connections', version: 1, connections, ...others });
  const good = { name: 'A', baseUrl: 'https://a.example', authUrl: 'https://a.example', clientId: 'a' };

  const notFiles: readonly (readonly [what: string, text: string, words: RegExp])[] = [
    ['no JSON', '{"kind": "rainbell conn', /isn’t valid JSON/],
    ['nothing', '', /isn’t valid JSON/],
    ['a list', '[1, 2]', /not a Rainbell connections file/],
    ['an environment of Postman', '{"id":"1","name":"dev","_postman_variable_scope":"environment"}', /not a/],
    ['a newer file', whole([good], { version: 2 }), /format version 2; it must be 1/],
    ['a file without connections', whole([]), /doesn’t contain any connections/],
    ['connections that are no list', whole({ a: good }), /must be a list/],
  ];

  test('of what is none is refused with a message', async () => {
    const { client } = await startEmpty();
    for (const [what, text, words] of notFiles)
      await expect(client.connections.import({ text }), `a file of ${what}`).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { field: 'file' },
        message: expect.stringMatching(words),
      });
  });

  test('leaves nothing behind if the settings cannot be written', async () => {
    const { client, host } = await startEmpty();
    host.settings.write = () => {
      throw new Error('ENOSPC: no space left on device');
    };
    await expect(client.connections.import({ text: whole([good]) })).rejects.toMatchObject({ code: 'STORAGE' });
    expect((await client.connections.list()).connections).toHaveLength(1);
  });
});
