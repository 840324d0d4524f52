// Callbacks out into files and back.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { ExportFormat, ImportFormat } from '#contract/app-rpc/callback-formats.ts';
import type { CallbackChoice, ImportState } from '#contract/app-rpc/callback-files.ts';
import { pick } from '#shared/pick.ts';
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

/** Our own form, one on a line. */
const linesOf = (...entries: object[]) =>
  entries.map((entry) => JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', ...entry })).join('\n');

const bodies = [
  Buffer.from('{"id":"precipitation_1","note":"Grüße 🌧"}'),
  randomBytes(3000),
  Buffer.alloc(0),
  Buffer.from('\uFEFFwith a mark, "quotes",\r\nlines and =formula'),
  Buffer.from([0xff, 0xfe, 0x00]),
];

test('a file brings every callback back with equal bytes, headers and times, marked as imported', async () => {
  const { client, post } = await startWithReceiver();
  for (const body of bodies) await post('/hooks/a?x=1', body, { 'content-type': 'text/plain', 'x-id': 'ü' });
  const original = (await client.callbacks.list({})).items.map(({ id }) => id).toReversed();
  const wholeOf = async (ids: number[]) => {
    const found = await Promise.all(ids.map((id) => client.callbacks.get({ id })));
    return found.map((one) => ({
      ...pick(one, 'receivedAt', 'method', 'target', 'httpVersion', 'headers', 'bodyBase64'),
      ...pick(one, 'answeredStatus', 'monitorId', 'remoteAddress', 'truncated'),
    }));
  };
  const sent = await wholeOf(original);
  for (const format of ['json', 'ndjson', 'har'] as const) {
    const before = (await client.callbacks.list({})).newestId;
    const state = await imported(client, format, await exported(client, format, { kind: 'ids', ids: original }));
    expect(state).toMatchObject({ imported: bodies.length, refused: 0, problems: [] });
    expect(await wholeOf(original.map((id) => id + before))).toEqual(sent);
    const { items } = await client.callbacks.search({ query: 'is:imported' });
    expect(items.slice(0, bodies.length).map(({ id }) => id - before)).toEqual(original.toReversed());
  }
  expect(sent.map(({ bodyBase64 }) => bodyBase64)).toEqual(bodies.map((body) => body.toString('base64')));

  const csv = await exported(client, 'csv', { kind: 'ids', ids: original });
  expect(csv.startsWith('id,receivedAt,method')).toBe(true);
  expect(csv).toContain('"\uFEFFwith a mark, ""quotes"",\r\nlines and =formula"');
  expect(csv).toContain(`base64,${bodies[1]?.toString('base64')}`);
});

test('pages put together are one file, also of chosen callbacks and of a search', async () => {
  const { client } = await startWithReceiver();
  expect(JSON.parse(await exported(client, 'json'))).toEqual([]);
  expect(JSON.parse(await exported(client, 'har'))).toMatchObject({ log: { version: '1.2', entries: [] } });
  const entries = Array.from({ length: 450 }, (_, index) => ({ target: index % 2 === 0 ? '/even' : '/odd' }));
  await imported(client, 'ndjson', linesOf(...entries), 10_000);
  const list = JSON.parse(await exported(client, 'json')) as { id: number; body: string }[];
  expect(list.map(({ id }) => id)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  const odd = (await exported(client, 'ndjson', { ...all, query: 'path:/odd' })).trim().split('\n');
  expect(odd).toHaveLength(225);
  const ids = Array.from({ length: 300 }, (_, index) => index + 100);
  expect(JSON.parse(await exported(client, 'json', { kind: 'ids', ids: [...ids, 9999] }))).toHaveLength(300);
});
