// Sends, deletions, imports, exports, and notices over the real database, each as a whole.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ForwardTarget } from '#contract/app-rpc/callback-sends.ts';
import { createCallbackDeletions } from '#core/callbacks/callback-deletions.ts';
import { createCallbackExport } from '#core/callbacks/callback-export.ts';
import { createCallbackImport } from '#core/callbacks/callback-import.ts';
import { noticeText } from '#core/callbacks/callback-notifier.ts';
import { createCallbackSends, type NewSend } from '#core/callbacks/callback-sends.ts';
import { createCallbackTimes } from '#core/callbacks/callback-times.ts';
import { createForwarder, forwardUrl } from '#core/callbacks/forwarder.ts';
import { matchAttempt } from '#core/callbacks/matched-delivery.ts';
import { axisOf } from '#core/callbacks/callback-histogram.ts';
import type { FinishedSend } from '#core/callbacks/send-request.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { quietLog } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';
import { storedCallback } from './stored-callback.ts';

const answered: FinishedSend = {
  startedAt: noon,
  tookMs: 12.4,
  headers: [['A', 'b']],
  outcome: {
    kind: 'answered',
    status: 200,
    headers: [['C', 'd']],
    bodyBase64: 'YQ==',
    truncated: false,
    firstByteMs: 3,
  },
};
const sendOf = (callbackId: number, changes: Partial<NewSend> = {}): NewSend => ({
  ...answered,
  kind: 'replay',
  callbackId,
  method: 'PUT',
  url: 'http://a.example/',
  ...changes,
});

describe('sends', () => {
  test('are stored as they were, newest first', () => {
    const { db } = openCallbackStore([receivedCallback(), receivedCallback()]);
    const sends = createCallbackSends(db);
    const stored = {
      id: 1,
      kind: 'replay',
      callbackId: 1,
      startedAt: '2026-11-21T12:00:00.000Z',
      tookMs: 12.4,
      method: 'PUT',
      url: 'http://a.example/',
      headers: [['A', 'b']],
      outcome: answered.outcome,
    };
    expect(sends.add([sendOf(1), sendOf(2), sendOf(1, { kind: 'edit' })])).toEqual([
      stored,
      { ...stored, id: 2, callbackId: 2 },
      { ...stored, id: 3, kind: 'edit' },
    ]);
    expect(sends.of(1)).toEqual([{ ...stored, id: 3, kind: 'edit' }, stored]);
    expect(sends.of(9)).toEqual([]);
    sends.add(Array.from({ length: 101 }, () => sendOf(1)));
    expect(sends.of(1)).toHaveLength(100);
    expect(sends.of(1)[0]?.id).toBe(104);
  });

  test('are kept up to 10,000, and none of a batch that fails', () => {
    const { db } = openCallbackStore([receivedCallback()]);
    const sends = createCallbackSends(db);
    db.exec(
      "INSERT INTO callback_sends (id, callback_id, kind, started_at, took_ms, method, url, headers, outcome) VALUES (10000, 1, 'edit', 0, 0, '', '', '[]', '{}'), (1, 1, 'edit', 0, 0, '', '', '[]', '{}'), (2, 1, 'edit', 0, 0, '', '', '[]', '{}')",
    );
    sends.add([sendOf(1)]);
    const ids = () =>
      db
        .prepare('SELECT id FROM callback_sends ORDER BY id')
        .all()
        .map(({ id }) => id);
    expect(ids()).toEqual([2, 10_000, 10_001]);
    const circular = {} as { self?: unknown };
    circular.self = circular;
    expect(() => sends.add([sendOf(1), sendOf(1, { outcome: circular as never })])).toThrow(/circular/);
    expect([ids(), db.isTransaction]).toEqual([[2, 10_000, 10_001], false]);
    expect(sends.add([])).toEqual([]);
    expect(ids()).toHaveLength(3);
  });
});

describe('forwarding', () => {
  const target = (id: string, changes: Partial<ForwardTarget> = {}): ForwardTarget => ({
    id,
    url: `http://${id}.example/in`,
    isOn: true,
    path: '/*',
    keepsPath: true,
    ...changes,
  });

  function start(rows = 0, targets = [target('a')]) {
    const store = openCallbackStore(Array.from({ length: rows }, () => receivedCallback({ target: '/before' })));
    const clock = createManualClock(noon);
    const requests: { method: string; url: string; headers: unknown; body: string; limit: number }[] = [];
    const open: ((finished: FinishedSend | Error) => void)[] = [];
    const state = { targets, changed: 0 };
    const sends = createCallbackSends(store.db);
    const forwarder = createForwarder({
      targets: () => state.targets,
      pages: store.pages,
      sender: {
        send(
          { method, url, headers, body }: { method: string; url: string; headers: unknown; body: Buffer },
          limit: number,
        ) {
          requests.push({ method, url, headers, body: body.toString(), limit });
          return new Promise<FinishedSend>((resolve, reject) => {
            open.push((finished) => (finished instanceof Error ? reject(finished) : resolve(finished)));
          });
        },
      } as never,
      sends,
      clock,
      log: quietLog,
      onChanged: () => (state.changed += 1),
    });
    onTestFinished(() => forwarder.close());
    const receive = (...received: Parameters<typeof receivedCallback>[0][]) => {
      store.writer.append(received.map((one) => receivedCallback({ target: '/x?y=1', body: 'b', ...one })));
      forwarder.arrived(store.pages.counts().newestId);
    };
    const end = async (finished: FinishedSend | Error = answered) => {
      open.shift()?.(finished);
      await setImmediate();
    };
    return { ...store, clock, requests, open, state, sends, forwarder, receive, end };
  }
  const none = { sent: 0, accepted: 0, failed: 0, skipped: 0, waiting: 0, last: null };

  test('sends what arrives from then on, with a mark, and keeps the result', async () => {
    const { requests, receive, end, forwarder, clock, sends, state } = start(2);
    expect(forwarder.states()).toEqual([{ ...target('a'), ...none }]);
    receive({});
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://a.example/in/x?y=1',
        headers: [
          ['content-type', 'application/json'],
          ['host', '127.0.0.1'],
          ['x-rainbell-forwarded', '1'],
        ],
        body: 'b',
        limit: 4096,
      },
    ]);
    expect(forwarder.states()).toEqual([{ ...target('a'), ...none, sent: 1, waiting: 1 }]);
    clock.advance(500);
    await end();
    const last = { at: '2026-11-21T12:00:00.500Z', message: expect.stringMatching(/\b200\b.*\b12 ms/), isOk: true };
    expect(forwarder.states()).toEqual([{ ...target('a'), ...none, sent: 1, accepted: 1, last }]);
    clock.advance(199);
    expect([sends.of(3), state.changed]).toEqual([[], 0]);
    clock.advance(1);
    expect(sends.of(3)).toMatchObject([
      { kind: 'forward', callbackId: 3, method: 'POST', url: 'http://a.example/in/x?y=1' },
    ]);
    expect(state.changed).toBe(1);
  });

  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [500, false],
  ])('takes status %i as accepted: %s', async (status, isOk) => {
    const { receive, end, forwarder } = start();
    receive({});
    await end({ ...answered, outcome: { ...answered.outcome, status } as never });
    expect(forwarder.states()).toMatchObject([{ accepted: isOk ? 1 : 0, failed: isOk ? 0 : 1, last: { isOk } }]);
  });

  test.each([
    [new AppFailure('INVALID_INPUT', 'Not there.'), /^Not there\.$/],
    [new TypeError('secret'), /^(?!.*secret)./],
    [{ ...answered, outcome: { kind: 'failed' as const, message: 'Nothing responds.' } }, /^Nothing responds\.$/],
  ])('says why it failed (%#)', async (finished, words) => {
    const message = expect.stringMatching(words);
    const { receive, end, forwarder, clock, sends } = start();
    receive({});
    clock.advance(7);
    await end(finished);
    expect(forwarder.states()).toMatchObject([{ accepted: 0, failed: 1, last: { message, isOk: false } }]);
    clock.advance(200);
    expect(sends.of(1)).toMatchObject([{ kind: 'forward', outcome: { kind: 'failed', message } }]);
    const { tookMs } = sends.of(1)[0] ?? {};
    expect(tookMs).toBe(finished instanceof Error ? 7 : 12.4);
  });

  test('leaves out imports, refused requests, what was forwarded, and other paths', () => {
    const { receive, requests } = start(0, [target('a', { path: '/hooks/*' }), target('off', { isOn: false })]);
    receive(
      { isImported: true, target: '/hooks/1' },
      { refusal: 'timeout', target: '/hooks/2' },
      { headers: ['X-Rainbell-Forwarded', '1'], target: '/hooks/3' },
      { target: '/other' },
      { target: '/hooks/4' },
    );
    expect(requests.map(({ url }) => url)).toEqual(['http://a.example/in/hooks/4']);
  });

  test('keeps 4 requests open for each target', async () => {
    const { receive, requests, end, forwarder } = start(0, [target('a'), target('b')]);
    receive(...Array.from({ length: 6 }, () => ({})));
    expect(requests.map(({ url }) => url[7])).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b']);
    expect(forwarder.states().map(({ waiting }) => waiting)).toEqual([6, 6]);
    await end();
    expect(requests).toHaveLength(9);
    expect(forwarder.states().map(({ waiting }) => waiting)).toEqual([5, 6]);
  });

  test('skips the oldest if a target is more than 1000 behind', () => {
    const { receive, forwarder } = start();
    receive({});
    receive(...Array.from({ length: 1003 }, () => ({})));
    expect(forwarder.states()).toMatchObject([{ sent: 4, skipped: 3, waiting: 1001 }]);
    expect(forwarder.states()[0]?.last).toMatchObject({ isOk: false, message: expect.stringMatching(/\b3\b/) });
    const exact = start();
    exact.receive(...Array.from({ length: 1000 }, () => ({})));
    expect(exact.forwarder.states()).toMatchObject([{ sent: 4, skipped: 0, waiting: 1000, last: null }]);
  });

  test('holds back a feed that is more than 250 ahead', async () => {
    const { receive, forwarder, end, state } = start();
    receive(...Array.from({ length: 254 }, () => ({})));
    let isCaughtUp = false;
    await forwarder.whenCaughtUp();
    receive({});
    const waiting = forwarder.whenCaughtUp().then(() => (isCaughtUp = true));
    await setImmediate();
    expect(isCaughtUp).toBe(false);
    await end();
    expect(isCaughtUp).toBe(true);
    await waiting;
    receive({});
    const again = forwarder.whenCaughtUp();
    state.targets = [target('a', { isOn: false })];
    forwarder.apply();
    await again;
  });

  test('begins with the next callback if a target changes, and goes on if it does not', () => {
    const { receive, requests, forwarder, state } = start();
    receive({});
    state.targets = [target('a'), target('b')];
    forwarder.apply();
    expect(forwarder.states().map(({ id, sent }) => [id, sent])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
    for (const changes of [{ url: 'http://c.example/' }, { path: '/x' }, { keepsPath: false }]) {
      state.targets = [target('a', changes), target('b')];
      forwarder.apply();
      expect(forwarder.states()[0]).toMatchObject({ sent: 0, waiting: 0 });
      state.targets = [target('a'), target('b')];
      forwarder.apply();
    }
    state.targets = [target('b')];
    forwarder.apply();
    expect(forwarder.states().map(({ id }) => id)).toEqual(['b']);
    const before = requests.length;
    receive({});
    expect(requests.slice(before).map(({ url }) => url[7])).toEqual(['b']);
  });

  test('ends: nothing more is sent, and the results are written', async () => {
    const { receive, requests, forwarder, end, sends } = start();
    receive({}, {}, {}, {}, {});
    await end();
    const before = requests.length;
    await forwarder.close();
    expect(sends.of(1)).toHaveLength(1);
    await end();
    receive({});
    expect([requests.length, forwarder.states()[0]?.accepted]).toEqual([before, 1]);
    await forwarder.whenCaughtUp();
  });

  test.each([
    ['http://a.example/in/', true, '/x?y', 'http://a.example/in/x?y'],
    ['http://a.example', true, '/x', 'http://a.example/x'],
    ['http://a.example/in?q', true, '/x', 'http://a.example/in/x'],
    ['http://a.example/in?q', false, '/x', 'http://a.example/in?q'],
    ['http://a.example/in', true, '*', 'http://a.example/in'],
    ['nonsense', true, '/x', 'nonsense'],
  ])('to %s with the path kept (%s) of %s goes to %s', (url, keepsPath, callbackTarget, expected) => {
    expect(forwardUrl({ url, keepsPath }, callbackTarget)).toBe(expected);
  });
});

describe('a deletion', () => {
  function start(count: number) {
    const store = openCallbackStore(
      Array.from({ length: count }, (_, index) => receivedCallback({ target: index % 2 === 0 ? '/even' : '/odd' })),
    );
    const clock = createManualClock(noon);
    const removed: (readonly number[])[] = [];
    const state = { changed: 0, failure: undefined as Error | undefined };
    const create = () =>
      createCallbackDeletions({
        ...store,
        remove: async (ids) => {
          if (state.failure) throw state.failure;
          removed.push(ids);
          store.writer.remove(ids);
        },
        clock,
        log: quietLog,
        onChanged: () => (state.changed += 1),
      });
    const hidden = () => store.db.prepare('SELECT count(*) AS n FROM callback_deletions').get()?.['n'];
    return { ...store, clock, removed, state, create, hidden };
  }

  test('hides at once, and removes after 8 s, 500 at a time', async () => {
    const { create, clock, removed, state, hidden, pages } = start(1203);
    const deletions = create();
    const result = await deletions.delete({ kind: 'query', query: '', throughId: 1201 });
    expect(result).toEqual({ deletionId: expect.any(String), count: 1201, undoUntil: '2026-11-21T12:00:08.000Z' });
    expect([hidden(), pages.counts().total, state.changed, removed.length]).toEqual([1201, 2, 1, 0]);
    clock.advance(7999);
    await setImmediate();
    expect(removed).toEqual([]);
    clock.advance(1);
    await setImmediate();
    expect(removed.map(({ length }) => length)).toEqual([500, 500, 201]);
    expect([hidden(), state.changed]).toEqual([0, 2]);
    expect(() => deletions.undo(result.deletionId)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: { field: 'deletionId' } }),
    );
  });

  test('of a query or of IDs is undone', async () => {
    const { create, clock, removed, state, hidden } = start(6);
    const deletions = create();
    const byQuery = await deletions.delete({ kind: 'query', query: 'path:/even', throughId: 4 });
    const byIds = await deletions.delete({ kind: 'ids', ids: [1, 2, 99] });
    expect([byQuery.count, byIds.count, hidden()]).toEqual([2, 1, 3]);
    expect(deletions.undo(byQuery.deletionId)).toEqual({ count: 2 });
    expect([hidden(), state.changed]).toEqual([1, 3]);
    clock.advance(8000);
    await setImmediate();
    expect(removed).toEqual([[2]]);
    const nothing = await deletions.delete({ kind: 'ids', ids: [99] });
    expect(nothing.count).toBe(0);
    expect(() => deletions.undo(nothing.deletionId)).toThrow(AppFailure);
  });

  test('is final when the app ends, and goes on at the next start', async () => {
    const { create, removed, state, hidden } = start(3);
    const deletions = create();
    await deletions.delete({ kind: 'ids', ids: [1] });
    state.failure = new Error('locked');
    await deletions.close();
    expect([removed, hidden()]).toEqual([[], 1]);
    state.failure = undefined;
    const again = create();
    await again.close();
    expect([removed, hidden()]).toEqual([[[1]], 0]);
  });
});

describe('a file', () => {
  test('is exported in pages of 200 callbacks or 2 MB', () => {
    const { pages, search } = openCallbackStore([
      ...Array.from({ length: 201 }, () => receivedCallback({ body: 'a' })),
      ...Array.from({ length: 5 }, () => receivedCallback({ body: Buffer.alloc(1024 * 1024, 97) })),
    ]);
    const { page } = createCallbackExport({ pages, search, version: '0.1.0', baseUrl: () => null });
    const ids = { kind: 'ids' as const, ids: [204, 203, 202, 9, 999, 1] };
    const one = page({ format: 'json', choice: ids, cursor: null });
    expect([one.count, one.next, one.text.startsWith('[\n{"id":1,'), one.text.endsWith('}')]).toEqual([
      4,
      '4 begun',
      true,
      true,
    ]);
    const two = page({ format: 'json', choice: ids, cursor: one.next });
    expect([two.count, two.next, two.text.startsWith(',\n{"id":204,'), two.text.endsWith('}\n]\n')]).toEqual([
      1,
      null,
      true,
      true,
    ]);
    const gone = { kind: 'ids' as const, ids: Array.from({ length: 201 }, (_, index) => index + 1000) };
    expect(page({ format: 'json', choice: gone, cursor: null })).toEqual({ text: '[\n\n]\n', count: 0, next: null });
    const all = { kind: 'query' as const, query: '', throughId: 201 };
    const first = page({ format: 'ndjson', choice: all, cursor: null });
    expect([first.count, first.next]).toEqual([200, '200 begun']);
    const last = page({ format: 'ndjson', choice: all, cursor: first.next });
    expect([last.count, last.next, JSON.parse(last.text)]).toMatchObject([1, null, { id: 201 }]);
    const none = { kind: 'query' as const, query: 'body:z', throughId: 206 };
    const emptyPage = page({ format: 'json', choice: none, cursor: null });
    expect(emptyPage).toMatchObject({ text: '[\n', count: 0, next: '205 empty' });
    expect(page({ format: 'json', choice: none, cursor: '205 empty' })).toEqual({
      text: '\n]\n',
      count: 0,
      next: null,
    });
    expect(page({ format: 'json', choice: { ...all, throughId: 1 }, cursor: '0 empty' }).text).toMatch(
      /^\{"id":1,.*\}\n\]\n$/s,
    );
    expect(page({ format: 'json', choice: { ...all, throughId: 1 }, cursor: '0 begun' }).text).toMatch(
      /^,\n\{"id":1,.*\}\n\]\n$/s,
    );
    for (const cursor of ['', '1', 'x begun', '1 begun ', ' 1 begun', '12345678901234567 begun'])
      expect(() => page({ format: 'json', choice: all, cursor })).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'cursor' } }),
      );
    const har = JSON.parse(page({ format: 'har', choice: { kind: 'ids', ids: [1, 2] }, cursor: null }).text) as {
      log: { entries: object[] };
    };
    expect(har).toMatchObject({ log: { version: '1.2', creator: { name: 'Rainbell', version: '0.1.0' } } });
    expect(har.log.entries).toMatchObject([{ request: { url: 'http://127.0.0.1/hooks/a' } }, {}]);
    expect(page({ format: 'csv', choice: { kind: 'ids', ids: [1, 2] }, cursor: null }).text.split('\r\n')).toHaveLength(
      4,
    );
  });

  const entry = (changes: object = {}) =>
    JSON.stringify({ receivedAt: '2026-11-21T06:00:00Z', method: 'POST', target: '/x', ...changes });
  function startImport(failure?: Error) {
    const stored: number[] = [];
    const { piece } = createCallbackImport({
      async store(rows) {
        if (failure) throw failure;
        stored.push(rows.length);
      },
    });
    return { piece, stored };
  }

  test('is imported line by line', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF${entry()}\n\n  \n{}\nno\n${entry()}`;
    const first = await piece({
      importId: null,
      format: 'ndjson',
      piece: text.slice(0, entry().length + 3),
      isLast: false,
    });
    expect(first).toEqual({ importId: expect.any(String), imported: 1, problems: [], refused: 0 });
    const last = await piece({
      importId: first.importId,
      format: 'ndjson',
      piece: text.slice(entry().length + 3),
      isLast: true,
    });
    expect(last).toEqual({
      importId: first.importId,
      imported: 2,
      refused: 2,
      problems: [
        { line: 4, message: expect.stringContaining('receivedAt') },
        { line: 5, message: expect.stringContaining('JSON') },
      ],
    });
    expect(stored).toEqual([1, 1]);
    await expect(piece({ importId: first.importId, format: 'ndjson', piece: '', isLast: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'importId' },
    });
  });

  test('is imported 200 rows or 4 MB at a time, and names 100 problems', async () => {
    const { piece, stored } = startImport();
    const lines = Array.from({ length: 401 }, () => entry()).join('\n');
    await piece({ importId: null, format: 'ndjson', piece: lines, isLast: true });
    expect(stored.splice(0)).toEqual([200, 200, 1]);
    const large = Array.from({ length: 5 }, () => entry({ body: 'b'.repeat(2 * 1024 * 1024) })).join('\n');
    await piece({ importId: null, format: 'ndjson', piece: large, isLast: true });
    expect(stored.splice(0)).toEqual([2, 2, 1]);
    const wrong = await piece({ importId: null, format: 'ndjson', piece: 'x\n'.repeat(101), isLast: true });
    expect([wrong.refused, wrong.problems.length, stored]).toEqual([101, 100, []]);
  });

  test('is imported as one document', async () => {
    const { piece, stored } = startImport();
    const text = `\uFEFF[${entry()},7,${entry()}]`;
    const first = await piece({ importId: null, format: 'json', piece: text.slice(0, 50), isLast: false });
    expect([first.imported, stored]).toEqual([0, []]);
    const last = await piece({ importId: first.importId, format: 'json', piece: text.slice(50), isLast: true });
    expect(last).toMatchObject({ imported: 2, refused: 1, problems: [{ line: 2 }] });
    const har = JSON.stringify({
      log: { entries: [{ startedDateTime: '2026-11-21T06:00:00Z', request: { method: 'GET', url: '/' } }] },
    });
    expect(await piece({ importId: null, format: 'har', piece: har, isLast: true })).toMatchObject({
      imported: 1,
      refused: 0,
    });
    for (const [format, wrong] of [
      ['json', 'x'],
      ['json', '{}'],
      ['har', '[]'],
      ['har', '{"log":{"entries":7}}'],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop
      await expect(piece({ importId: null, format, piece: wrong, isLast: true })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'piece' },
      });
  });

  test('is one of 4 that are open', async () => {
    const { piece } = startImport();
    const open = () => piece({ importId: null, format: 'json', piece: '[', isLast: false });
    const first = await open();
    for (let index = 0; index < 3; index += 1)
      // oxlint-disable-next-line no-await-in-loop
      await open();
    const next = (importId: string, isLast = false) =>
      piece({ importId, format: 'json', piece: isLast ? ']' : '', isLast });
    expect(await next(first.importId)).toMatchObject({ imported: 0 });
    await open();
    await expect(next(first.importId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('fails if it cannot be stored', async () => {
    const failure = new Error('locked');
    await expect(
      startImport(failure).piece({ importId: null, format: 'ndjson', piece: entry(), isLast: true }),
    ).rejects.toBe(failure);
  });
});

describe('the hours of monitors', () => {
  test('have the callbacks of a time, oldest first', () => {
    const { db, pages, validator, writer } = openCallbackStore([
      receivedCallback({ receivedAt: noon }),
      receivedCallback({ receivedAt: noon + 1000, id: 'precipitation_2' }),
      receivedCallback({ receivedAt: noon + 2000 }),
      receivedCallback({ receivedAt: noon + 3000 }),
      receivedCallback({ receivedAt: noon + 1500, body: 'x' }),
    ]);
    const { hours } = createCallbackTimes(db, pages, validator);
    const at = (ms: number) => new Date(noon + ms).toISOString();
    const mark = (id: number, ms: number, kind: string, verdict: string) => ({ id, receivedAt: at(ms), kind, verdict });
    const ofFirst = [mark(1, 0, 'event', 'ok'), mark(3, 2000, 'event', 'error')];
    expect(hours({ from: at(0), to: at(3000) })).toEqual({
      monitors: [
        { monitorId: 'precipitation_1', callbacks: ofFirst },
        { monitorId: 'precipitation_2', callbacks: [mark(2, 1000, 'other', 'unknown')] },
      ],
      isCut: false,
    });
    expect(hours({ from: at(0), to: at(3000), monitorId: 'precipitation_1' })).toEqual({
      monitors: [{ monitorId: 'precipitation_1', callbacks: ofFirst }],
      isCut: false,
    });
    for (const [from, to] of [
      [at(0), at(0)],
      [at(1), at(0)],
      ['x', at(0)],
      [at(0), 'x'],
    ] as const)
      expect(() => hours({ from, to })).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'to' } }),
      );
    writer.append(Array.from({ length: 2000 }, () => receivedCallback({ receivedAt: noon + 9000 })));
    const many = (from: number) => {
      const { monitors, isCut } = hours({ from: at(from), to: at(10_000), monitorId: 'precipitation_1' });
      return [monitors[0]?.callbacks.length, isCut];
    };
    expect([many(9000), many(3000)]).toEqual([
      [2000, false],
      [2000, true],
    ]);
  });
});

describe('a notice', () => {
  const rows = (...ids: (string | null)[]) => ids.map((monitorId) => storedCallback({ monitorId }));
  const geo = { lat: 45.074, lng: -7.6 };
  const weather = { status: 'rainy', place: 'Torino' };

  test.each([
    ['one', noticeText(rows('m1'), geo, weather), /Torino$/, /m1.*rainy\.$/],
    [
      'one without a place',
      noticeText(rows('m1'), geo, { ...weather, place: undefined }),
      /45\.07, -7\.60$/,
      /m1.*rainy\.$/,
    ],
    ['one without anything', noticeText(rows(null), undefined, undefined), /\S/, /\S/],
    ['several', noticeText(rows('m1', 'm2', 'm1'), geo, weather), /\b3\b.*Torino$/, /m1, m2.*rainy\.$/],
    ['several without weather', noticeText(rows('m1', 'm2'), geo, undefined), /\b2\b.*45\.07, -7\.60$/, /m1, m2\.$/],
    [
      'a front',
      noticeText(rows('m1', 'm2', 'm3', 'm3'), geo, weather, true),
      /Torino.*\b3\b/,
      /m1, m2(, m3|.*1).*rainy\. \S/,
    ],
    [
      'many',
      noticeText(rows(...Array.from({ length: 500 }, (_, index) => `m${index}`)), geo, weather),
      /\b500\b.*Torino/,
      /m0/,
    ],
    [
      'many of a front',
      noticeText(rows(...Array<string>(500).fill('m')), geo, weather, true),
      /Torino.*\b500\b/,
      /\bm\b/,
    ],
  ])('names %s', (_, { title, body }, titleForm, bodyForm) => {
    expect(title).toMatch(titleForm);
    expect(body).toMatch(bodyForm);
  });

  test('says whether there are more, of a front and otherwise', () => {
    const titleOf = (count: number, isFront: boolean) =>
      noticeText(rows(...Array.from({ length: count }, (_, index) => `m${index}`)), geo, weather, isFront).title;
    const shapes = [titleOf(499, false), titleOf(500, false), titleOf(499, true), titleOf(500, true)].map((title) =>
      title.replaceAll(/\d+/g, '#'),
    );
    expect(new Set(shapes).size).toBe(4);
    const bodies = [true, false].map((isFront) => noticeText(rows('a', 'b'), geo, weather, isFront).body);
    expect(bodies[0]?.startsWith(bodies[1] ?? '-')).toBe(true);
    expect(bodies[0]).not.toBe(bodies[1]);
  });
});

describe('the attempt of a callback', () => {
  const attempt = (id: string, ms: number, latencyMs = 40) => ({
    id,
    eventId: 'evt_1',
    attempt: 1,
    kind: 'first' as const,
    startedAt: new Date(noon + ms).toISOString(),
    latencyMs,
    httpStatus: 200,
    error: null,
    answer: '',
  });
  const match = (
    receivedMs: number,
    attempts: ReturnType<typeof attempt>[],
    {
      signedMs,
      aheadMs = 0,
      taken = '',
      isImported = false,
      afterMs = 0,
      headers = [],
    }: {
      signedMs?: number;
      aheadMs?: number;
      taken?: string;
      isImported?: boolean;
      afterMs?: number | null;
      headers?: [string, string][];
    } = {},
  ) => {
    const record = matchAttempt(
      {
        headers: [
          ['Webhook-Id', 'evt_1'],
          ...(signedMs === undefined
            ? []
            : [['webhook-timestamp', String((noon + signedMs) / 1000)] as [string, string]]),
          ...headers,
        ],
        receivedAt: new Date(noon + receivedMs).toISOString(),
        isImported,
        outcome: { kind: 'answered', at: null, afterMs, bytesSent: null },
      },
      attempts,
      { aheadMs, isTaken: (id) => id === taken },
    );
    return record && [record.attempt.id, record.arrivedAfterMs, record.isCopy];
  };

  test.each<[string, Parameters<typeof match>, ReturnType<typeof match>]>([
    ['within its time', [30, [attempt('1', 0)]], ['1', 30, false]],
    ['of another event', [30, [{ ...attempt('1', 0), eventId: 'evt_2' }]], undefined],
    ['2.5 s before it by clocks that differ', [-2500, [attempt('1', 0)]], ['1', 0, false]],
    ['longer before it', [-2501, [attempt('1', 0)]], undefined],
    ['2.5 s after it', [2540, [attempt('1', 0)]], ['1', 40, false]],
    ['longer after it', [2541, [attempt('1', 0)]], undefined],
    ['signed 2.5 s after its start', [30, [attempt('1', 0)], { signedMs: 2500 }], ['1', 30, false]],
    ['signed later', [30, [attempt('1', 0)], { signedMs: 2501 }], undefined],
    ['signed 2.5 s before', [30, [attempt('1', 0)], { signedMs: -2500 }], ['1', 30, false]],
    ['signed earlier', [30, [attempt('1', 0)], { signedMs: -2501 }], undefined],
    ['nearest to its start', [1000, [attempt('1', 0), attempt('2', 900), attempt('3', 2000)]], ['2', 40, false]],
    ['nearest before its start', [1000, [attempt('1', 0, 2000), attempt('2', 1300, 400)]], ['2', 0, false]],
    ['before the response was sent', [30, [attempt('1', 0)], { afterMs: 25 }], ['1', 15, false]],
    ['with a response that took longer than the attempt', [30, [attempt('1', 0)], { afterMs: 99 }], ['1', 0, false]],
    ['without a response', [30, [attempt('1', 0)], { afterMs: null }], ['1', 30, false]],
    ['by a clock that is ahead', [-1000, [attempt('1', 0)], { aheadMs: 1010 }], ['1', 10, false]],
    ['by a clock that was moved', [30, [attempt('1', 0)], { signedMs: 0, aheadMs: -2531 }], ['1', null, false]],
    ['by a clock that was moved a little', [30, [attempt('1', 0)], { signedMs: 0, aheadMs: -2530 }], ['1', 0, false]],
    ['that came before', [30, [attempt('1', 0)], { taken: '1' }], ['1', null, true]],
    ['long after its end', [2541, [attempt('1', 0)], { signedMs: 0 }], ['1', null, true]],
    ['an import', [30, [attempt('1', 0)], { isImported: true }], ['1', null, true]],
    [
      'an import of another time',
      [9e6, [attempt('2', 60_000), attempt('1', 0)], { isImported: true }],
      ['1', null, true],
    ],
    ['a replay', [30, [attempt('1', 0)], { headers: [['X-Rainbell-Replay', '1']] }], ['1', null, true]],
    [
      'a forward of another time',
      [9e6, [attempt('1', 0)], { headers: [['x-rainbell-forwarded', '1']] }],
      ['1', null, true],
    ],
    ['an import of an event that is not in the log', [30, [], { isImported: true }], undefined],
  ])('%s', (_, given, expected) => {
    expect(match(...given)).toEqual(expected);
  });
});

test.each([
  [
    { seconds: 60, bars: 61, oldestAt: null },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: 60, bars: 60, oldestAt: null },
    { from: -60_000, to: 2000, barMs: 2000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: null },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: noon - 30_000 },
    { from: -60_000, to: 1000, barMs: 1000 },
  ],
  [
    { seconds: null, bars: 61, oldestAt: noon - 61_000 },
    { from: -62_000, to: 2000, barMs: 2000 },
  ],
  [
    { seconds: 3600, bars: 2, oldestAt: null },
    { from: -3_600_000, to: 3_600_000, barMs: 3_600_000 },
  ],
])('bars for %j are whole', (input, { from, to, barMs }) => {
  expect(axisOf({ ...input, now: noon })).toEqual({ from: noon + from, to: noon + to, barMs });
});
