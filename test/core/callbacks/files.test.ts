// Callbacks out into files and back.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { ExportFormat, ImportFormat } from '#contract/app-rpc/callback-formats.ts';
import type { CallbackChoice, ImportState } from '#contract/app-rpc/callback-files.ts';
import { startWithReceiver } from './callback-harness.ts';

const all: CallbackChoice = { kind: 'query', query: '', throughId: 1_000_000 };

async function exported(client: AppClient, format: ExportFormat, choice = all): Promise<string> {
  let text = '';
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<AppClient['callbacks']['exportPage']>> = await client.callbacks.exportPage({
      format,
      choice,
      cursor,
    });
    text += page.text;
    cursor = page.next;
  } while (cursor !== null);
  return text;
}

async function imported(
  client: AppClient,
  format: ImportFormat,
  text: string,
  pieceLength = 1000,
): Promise<ImportState> {
  let state: ImportState | undefined;
  for (let from = 0; from === 0 || from < text.length; from += pieceLength) {
    const isLast = from + pieceLength >= text.length;
    state = await client.callbacks.importPiece({
      importId: state?.importId ?? null,
      format,
      piece: text.slice(from, from + pieceLength),
      isLast,
    });
  }
  if (!state) throw new Error('nothing was imported');
  return state;
}

const bodies = [
  Buffer.from('{"id":"precipitation_1","note":"Grüße 🌧"}'),
  randomBytes(3000),
  Buffer.alloc(0),
  Buffer.from('\uFEFFwith a mark, "quotes",\r\nlines and =formula'),
  Buffer.from([0xff, 0xfe, 0x00]),
];

async function startFilled() {
  const harness = await startWithReceiver();
  for (const body of bodies) await harness.post('/hooks/a?x=1', body, { 'content-type': 'text/plain', 'x-id': 'ü' });
  await harness.client.callbacks.setNote({ id: 1, note: '=1+1' });
  return harness;
}

describe.each(['json', 'ndjson', 'har'] as const)('a %s file', (format) => {
  test('brings every callback back with equal bytes, headers and times, marked as imported', async () => {
    const { client } = await startFilled();
    const text = await exported(client, format);
    const state = await imported(client, format, text);
    expect(state).toMatchObject({ imported: bodies.length, refused: 0, problems: [] });
    for (let index = 0; index < bodies.length; index += 1) {
      const original = await client.callbacks.get({ id: index + 1 });
      const copy = await client.callbacks.get({ id: bodies.length + index + 1 });
      expect(copy.isImported).toBe(true);
      expect(Buffer.from(copy.bodyBase64, 'base64').equals(bodies[index] ?? Buffer.alloc(1))).toBe(true);
      for (const field of [
        'receivedAt',
        'method',
        'target',
        'headers',
        'answeredStatus',
        'monitorId',
        'remoteAddress',
        'httpVersion',
      ] as const) {
        expect([field, copy[field]]).toEqual([field, original[field]]);
      }
    }
    expect((await client.callbacks.search({ query: 'is:imported' })).items).toHaveLength(bodies.length);
  });
});

/** Those that a URL parser changes. */
const oddTargets = ['/..%2f/../x', '/a/./b//c?q=<>"`{}|^', '/%zz?a=%', '/a?b#c', 'http://other.example/../y', '*', '/'];

test('a HAR file keeps odd targets as they were sent', async () => {
  const { client, baseUrl } = await startWithReceiver();
  const { hostname, port } = new URL(baseUrl);
  for (const path of oddTargets) {
    await new Promise<void>((resolve, reject) => {
      const method = path === '*' ? 'OPTIONS' : 'POST';
      request({ hostname, port, path, method }, (response) => response.resume().once('end', resolve))
        .once('error', reject)
        .end();
    });
  }
  const text = await exported(client, 'har');
  await imported(client, 'har', text);
  const { items } = await client.callbacks.search({ query: 'is:imported' });
  expect(items.map(({ target }) => target).toReversed()).toEqual(oddTargets);
});

test.each([
  ['http://example.org/..%2f/../x?<', '/..%2f/../x?<'],
  ['https://example.org?a=1#part', '/?a=1'],
  ['https://example.org', '/'],
  ['/as/it/is', '/as/it/is'],
])('a HAR file of another tool with the URL %s gives the target %s', async (url, target) => {
  const { client } = await startWithReceiver();
  const entry = { startedDateTime: '2026-11-21T06:00:00Z', request: { method: 'GET', url } };
  await imported(client, 'har', JSON.stringify({ log: { entries: [entry] } }));
  expect(await client.callbacks.get({ id: 1 })).toMatchObject({ target });
});

test('JSON and HAR of nothing are whole files', async () => {
  const { client } = await startWithReceiver();
  expect(JSON.parse(await exported(client, 'json'))).toEqual([]);
  expect(JSON.parse(await exported(client, 'har'))).toMatchObject({ log: { version: '1.2', entries: [] } });
});

test('pages put together are one file, also of chosen callbacks and of a search', async () => {
  const { client, post } = await startWithReceiver();
  for (let index = 0; index < 450; index += 1) await post(`/${index % 2 === 0 ? 'even' : 'odd'}`, String(index));
  const list = JSON.parse(await exported(client, 'json')) as { id: number; body: string }[];
  expect(list.map(({ id }) => id)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  const odd = (await exported(client, 'ndjson', { ...all, query: 'path:/odd' })).trim().split('\n');
  expect(odd).toHaveLength(225);
  const ids = Array.from({ length: 300 }, (_, index) => index + 100);
  expect(JSON.parse(await exported(client, 'json', { kind: 'ids', ids: [...ids, 9999] }))).toHaveLength(300);
});

test('CSV quotes what needs it and disarms formulas', async () => {
  const { client } = await startFilled();
  const csv = await exported(client, 'csv');
  expect(csv.startsWith('id,receivedAt,method')).toBe(true);
  expect(csv).toContain(`,'=1+1,`);
  expect(csv).toContain('"\uFEFFwith a mark, ""quotes"",\r\nlines and =formula"');
  expect(csv).toContain(`base64,${bodies[1]?.toString('base64')}`);
});

test('CSV leaves base64 that begins like a formula as it is', async () => {
  const { client, post } = await startWithReceiver();
  await post('/hooks/a', Buffer.from('+v8=', 'base64'));
  await client.callbacks.setNote({ id: 1, note: '+v8=' });
  expect(await exported(client, 'csv')).toMatch(/,'\+v8=,.*,base64,\+v8=,/);
});

test('an import names the invalid lines and stores the others', async () => {
  const { client } = await startWithReceiver();
  const good = JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target: '/x', body: 'a' });
  const lines = [good, 'nonsense', '', '{"method":"POST"}', good.replace('POST', 'BAD METHOD'), good];
  const state = await imported(client, 'ndjson', lines.join('\n'), 20);
  expect(state).toMatchObject({ imported: 2, refused: 3 });
  expect(state.problems.map(({ line }) => line)).toEqual([2, 4, 5]);
  expect(state.problems[0]?.message).toContain('not JSON');
  expect(state.problems[1]?.message).toBe('receivedAt: is missing.');
  expect(state.problems[2]?.message).toBe('method: must be an HTTP method.');
});
