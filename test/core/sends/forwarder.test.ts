// What is forwarded to each target over the real database, how many requests are open, and what is stored of them.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ForwardTarget } from '#contract/app-rpc/callback-sends.ts';
import { createCallbackSends, type NewSend } from '#core/callbacks/callback-sends.ts';
import { hasOtherWay } from '#core/callbacks/callback-index.ts';
import { createForwarder, forwardUrl } from '#core/sends/forwarder.ts';
import type { FinishedSend } from '#core/http/send-request.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { quietLog } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { noon, openCallbackStore, receivedCallback } from '../callbacks/callback-store.ts';

const answeredSend: FinishedSend = {
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

describe('forwarding', () => {
  const target = (id: string, changes: Partial<ForwardTarget> = {}): ForwardTarget => ({
    id,
    url: `http://${id}.example/in`,
    isOn: true,
    path: '/*',
    keepsPath: true,
    headers: [],
    signing: 'as-received',
    sender: null,
    retries: 0,
    ...changes,
  });

  function start(rows = 0, targets = [target('a')]) {
    const store = openCallbackStore(Array.from({ length: rows }, () => receivedCallback({ target: '/before' })));
    const clock = createManualClock(noon);
    const requests: { method: string; url: string; headers: unknown; body: string; limit: number }[] = [];
    const open: ((finished: FinishedSend | Error) => void)[] = [];
    const state = { targets, changed: 0 };
    const sends = createCallbackSends(store.db, quietLog);
    const forwarder = createForwarder({
      targets: () => state.targets,
      pages: store.pages,
      index: store.index,
      sender: {
        send({ method, url, headers, body }, limit) {
          requests.push({ method, url, headers, body: body.toString(), limit });
          return new Promise<FinishedSend>((resolve, reject) => {
            open.push((finished) => (finished instanceof Error ? reject(finished) : resolve(finished)));
          });
        },
        requireAllowed: (text) => new URL(text),
        close: () => {},
      },
      facts: { sign: () => Promise.reject(new AppFailure('UNAVAILABLE', 'No secret.')) },
      secretOf: () => '',
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
    const end = async (finished: FinishedSend | Error = answeredSend) => {
      open.shift()?.(finished);
      await setImmediate();
    };
    return { ...store, clock, requests, open, state, sends, forwarder, receive, end };
  }

  test.each([
    [new AppFailure('INVALID_INPUT', 'Not there.'), /^Not there\.$/],
    [new TypeError('secret'), /^(?!.*secret)./],
    [{ ...answeredSend, outcome: { kind: 'failed' as const, message: 'Nothing responds.' } }, /^Nothing responds\.$/],
  ])('says why it failed (%#)', async (finished, words) => {
    const message = expect.stringMatching(words);
    const { receive, end, forwarder, clock, sends } = start();
    receive({});
    clock.advance(7);
    await end(finished);
    expect(forwarder.states()).toMatchObject([{ accepted: 0, failed: 1, last: { message, isOk: false } }]);
    const kind = finished instanceof AppFailure ? 'skipped' : 'failed';
    expect(sends.of(1)).toMatchObject([{ kind: 'forward', outcome: { kind, message } }]);
    const { tookMs } = sends.of(1)[0] ?? {};
    expect(tookMs).toBe(finished instanceof Error ? 7 : 12.4);
  });

  test('retries after 503 with growing pauses and the same headers, adds headers, and gives up after the last retry', async () => {
    const busy = { ...answeredSend, outcome: { ...answeredSend.outcome, status: 503 } } as FinishedSend;
    const { receive, end, forwarder, clock, sends, requests, state } = start(0, [
      target('a', { retries: 2, headers: [['Content-Type', 'text/x']] }),
    ]);
    receive({});
    await end(busy);
    for (const delayMs of [1000, 2000]) {
      clock.advance(delayMs - 1);
      const before = requests.length;
      clock.advance(1);
      await setImmediate();
      expect(requests).toHaveLength(before + 1);
      expect(forwarder.states()).toMatchObject([{ sent: 1, accepted: 0, failed: 0, waiting: 1 }]);
      await end(busy);
    }
    clock.advance(100_000);
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers).toContainEqual(['Content-Type', 'text/x']);
    expect(requests[0]?.headers).not.toContainEqual(['content-type', 'application/json']);
    expect(sends.of(1)).toHaveLength(3);
    expect(forwarder.states()).toMatchObject([{ sent: 1, failed: 1, waiting: 0 }]);
    state.targets = [];
    forwarder.apply();
  });

  test('sends nothing that can’t be signed, and says why', async () => {
    const { receive, forwarder, requests } = start(0, [target('a', { signing: 'same-id', retries: 5 })]);
    receive({});
    await expect.poll(forwarder.states).toMatchObject([{ failed: 1, last: { message: 'No secret.' } }]);
    expect(requests).toEqual([]);
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
    // So that what is forwarded to the receiver itself ends after one round.
    expect(requests[0]?.headers).toContainEqual(['x-rainbell-forwarded', '1']);
  });

  test('falls behind a slow target without leaving any out, and sends nothing more once it is off', async () => {
    const { receive, forwarder, end, clock, requests, state } = start();
    receive(...Array.from({ length: 1003 }, () => ({ target: '/many' })));
    receive(...Array.from({ length: 2000 }, () => ({ isImported: true })), { target: '/last' });
    expect(forwarder.states()).toMatchObject([{ sent: 4, waiting: 3004, last: null }]);
    for (let count = 0; count < 1003; count += 1) {
      // Each starts the next.
      await end();
    }
    for (let pause = 0; pause < 2; pause += 1) clock.advance(0);
    expect([requests.length, requests.at(-1)?.url]).toEqual([1004, 'http://a.example/in/last']);
    receive(...Array.from({ length: 9 }, () => ({})));
    state.targets = [target('a', { isOn: false })];
    forwarder.apply();
    await end();
    await end();
    expect(requests).toHaveLength(1007);
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
    forwarder.close();
    expect(sends.of(1)).toHaveLength(1);
    await end();
    receive({});
    expect([requests.length, forwarder.states()[0]?.accepted]).toEqual([before, 1]);
  });

  test.each([
    ['http://a.example/in/', true, '/x?y', 'http://a.example/in/x?y'],
    ['http://a.example', true, '/x', 'http://a.example/x'],
    ['http://a.example/in?q', true, '/x', 'http://a.example/in/x'],
    ['http://a.example/in?q', false, '/x', 'http://a.example/in?q'],
    ['http://a.example/in', true, '*', 'http://a.example/in'],
    ['http://a.example/in', true, '/x#y?z=#', 'http://a.example/in/x%23y?z=%23'],
    ['nonsense', true, '/x', 'nonsense'],
  ])('to %s with the path kept (%s) of %s goes to %s', (url, keepsPath, callbackTarget, expected) => {
    expect(forwardUrl({ url, keepsPath }, callbackTarget)).toBe(expected);
  });
});

const sendOf = (callbackId: number, changes: Partial<NewSend> = {}): NewSend => ({
  ...answeredSend,
  kind: 'replay',
  callbackId,
  method: 'PUT',
  url: 'http://a.example/',
  ...changes,
});

describe('stored sends', () => {
  test('are listed newest first, at most 100 of a callback', () => {
    const { db } = openCallbackStore([receivedCallback(), receivedCallback()]);
    const sends = createCallbackSends(db, quietLog);
    for (const send of [sendOf(1), sendOf(2), sendOf(1, { kind: 'edit' })]) sends.add(send);
    expect(sends.of(1)).toMatchObject([
      { id: 3, kind: 'edit' },
      { id: 1, kind: 'replay', headers: answeredSend.headers, outcome: answeredSend.outcome },
    ]);
    expect(sends.of(9)).toEqual([]);
    for (let count = 0; count < 101; count += 1) sends.add(sendOf(1));
    expect(sends.of(1)).toHaveLength(100);
    expect(sends.of(1)[0]?.id).toBe(104);
  });

  test('are kept up to 10,000, and none that fails', () => {
    const { db } = openCallbackStore([receivedCallback()]);
    const sends = createCallbackSends(db, quietLog);
    db.exec("INSERT INTO callback_sends (id, callback_id, send) VALUES (10000, 1, '{}'), (1, 1, '{}'), (2, 1, '{}')");
    sends.add(sendOf(1));
    const ids = () =>
      db
        .prepare('SELECT id FROM callback_sends ORDER BY id')
        .all()
        .map(({ id }) => id);
    expect(ids()).toEqual([2, 10_000, 10_001]);
    const outcome = { ...answeredSend.outcome, toJSON: () => JSON.parse('no JSON') };
    expect(sends.add(sendOf(1, { outcome })).id).toBe(0);
    expect([ids(), db.isTransaction]).toEqual([[2, 10_000, 10_001], false]);
  });
});

test('finds an event that arrived the other way before', () => {
  const event = ['Webhook-Id', 'evt_1'];
  const store = openCallbackStore([receivedCallback({ headers: event })]);
  const { writer, pages } = store;
  const fed = (id: string) =>
    writer.appendFeed([receivedCallback({ headers: ['webhook-id', id], feedEvent: { id, occurredAt: 1 } })], {
      connectionId: 'a',
      source: 'b',
      cursor: 'c',
    });
  fed('evt_1');
  fed('evt_2');
  writer.append([
    receivedCallback({ headers: ['webhook-id', 'evt_2'] }),
    receivedCallback({ headers: ['webhook-id', 'evt_2', 'X-Rainbell-Replay', '1'] }),
    receivedCallback({ headers: ['webhook-id', 'evt_3'] }),
    receivedCallback(),
  ]);
  const found = [...pages.rows({}, 'oldestFirst')].map((callback) => hasOtherWay(callback, store));
  expect(found).toEqual([false, true, false, true, false, false, false]);
});
