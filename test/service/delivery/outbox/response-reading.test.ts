// How much of a response counts, and when an attempt ends (docs/delivery.md S4, S5): undici's events, in any order.
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeliveryResponse, sendPost } from '#service/monitors/delivery/send-callback.ts';

type Handler = Required<Dispatcher.DispatchHandler>;

const broken = new Error('the connection broke');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request whose events the test decides. */
function start({ url = 'https://hooks.example/rain' } = {}) {
  const aborts: Error[] = [];
  const controller = { abort: (error: Error) => void aborts.push(error) } as Dispatcher.DispatchController;
  const sent: Dispatcher.DispatchOptions[] = [];
  let handler = {} as Handler;
  const dispatcher = {
    dispatch(options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) {
      sent.push(options);
      handler = given as Handler;
      return true;
    },
  } as unknown as Dispatcher;
  const outcome: { response?: DeliveryResponse; error?: Error } = {};
  const ended = sendPost({
    dispatcher,
    url: new URL(url),
    headers: { 'webhook-id': 'evt_1' },
    body: '{}',
    timeoutMs: 15_000,
  }).then(
    (response) => void (outcome.response = response),
    (error: Error) => void (outcome.error = error),
  );
  const begin = () => handler.onRequestStart(controller, {});
  const head = (status: number, headers: Record<string, string | string[]> = {}) =>
    handler.onResponseStart(controller, status, headers, '');
  const data = (chunk: string | Buffer) => handler.onResponseData(controller, Buffer.from(chunk));
  const end = () => handler.onResponseEnd(controller, {});
  const fail = (error = broken) => handler.onResponseError(controller, error);
  /** The outcome so far. */
  async function now() {
    await vi.advanceTimersByTimeAsync(0);
    return outcome;
  }
  return { sent, aborts, begin, head, data, end, fail, now, ended };
}

describe('a request', () => {
  it('is a POST to the path and query of the URL', () => {
    const { sent } = start({ url: 'https://hooks.example:8443/a/b?x=1#part' });
    expect(sent).toEqual([
      {
        origin: 'https://hooks.example:8443',
        path: '/a/b?x=1',
        method: 'POST',
        headers: { 'webhook-id': 'evt_1' },
        body: '{}',
      },
    ]);
  });
});

describe('a response', () => {
  it('ends with its body, and with the timer', async () => {
    const { begin, head, data, end, fail, now, aborts } = start();
    begin();
    head(200);
    data('o');
    data('k');
    expect(await now()).toEqual({});
    end();
    expect(await now()).toEqual({ response: { status: 200, text: 'ok', retryAfterSeconds: undefined } });
    expect(vi.getTimerCount()).toBe(0);
    fail();
    expect([await now(), aborts]).toEqual([{ response: expect.anything() }, []]);
  });

  it.each([
    [{}, undefined],
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': ['8', '9'] }, 8],
  ])('with headers %o asks for a retry after %s', async (headers, retryAfterSeconds) => {
    const { begin, head, end, now } = start();
    begin();
    head(503, headers);
    end();
    expect(await now()).toEqual({ response: { status: 503, text: '', retryAfterSeconds } });
  });

  it('is the one after interim responses', async () => {
    const { begin, head, fail, now } = start();
    begin();
    head(100);
    head(103, { 'retry-after': '7' });
    fail();
    expect(await now()).toEqual({ error: broken });
    const final = start();
    final.begin();
    final.head(103, { 'retry-after': '7' });
    final.head(200);
    final.end();
    expect(await final.now()).toEqual({ response: { status: 200, text: '', retryAfterSeconds: undefined } });
  });

  it('is stored up to 2 KB', async () => {
    const { begin, head, data, end, now } = start();
    begin();
    head(200);
    data('a'.repeat(2_047));
    data('bc');
    data('d');
    end();
    expect((await now()).response?.text).toBe(`${'a'.repeat(2_047)}b`);
  });

  it('is stored although undici reuses its memory, and without NUL', async () => {
    const { begin, head, end, now, data } = start();
    begin();
    head(200);
    const memory = Buffer.from('a\0b\0');
    data(memory);
    memory.fill('x');
    end();
    expect((await now()).response?.text).toBe('a\uFFFDb\uFFFD');
  });

  it('is read up to 64 KB', async () => {
    const { begin, head, data, now, aborts } = start();
    begin();
    head(500);
    for (let read = 0; read < 64; read += 1) data('x'.repeat(1_024));
    expect([await now(), aborts]).toEqual([{}, []]);
    data('y');
    expect((await now()).response).toEqual({ status: 500, text: 'x'.repeat(2_048), retryAfterSeconds: undefined });
    expect(aborts.map(({ message }) => message)).toEqual(['The response is too long.']);
  });
});

describe('an attempt that breaks', () => {
  it.each([
    ['before the head', undefined, false],
    ['after a 200', 200, true],
    ['after a 299', 299, true],
    ['after a 300', 300, false],
    ['after a 500', 500, false],
  ] as const)('%s', async (_when, status, isResponse) => {
    const { begin, head, data, fail, now, aborts } = start();
    begin();
    if (status !== undefined) {
      head(status, { 'retry-after': '7' });
      data('part');
    }
    fail();
    expect(await now()).toEqual(
      isResponse ? { response: { status, text: 'part', retryAfterSeconds: 7 } } : { error: broken },
    );
    expect(vi.getTimerCount()).toBe(0);
    // undici has ended it.
    expect(aborts).toEqual([]);
  });
});

describe('an attempt that takes too long', () => {
  const timeout = expect.objectContaining({ name: 'TimeoutError', message: 'The callback timed out.' });

  it.each([
    ['without a head', undefined, false],
    ['after a 200', 200, true],
    ['after a 404', 404, false],
  ] as const)('is cut off %s', async (_when, status, isResponse) => {
    const { begin, head, now, aborts, data, end, ended } = start();
    begin();
    if (status !== undefined) head(status);
    await vi.advanceTimersByTimeAsync(14_999);
    expect([await now(), aborts]).toEqual([{}, []]);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(await now()).toEqual(
      isResponse ? { response: { status, text: '', retryAfterSeconds: undefined } } : { error: timeout },
    );
    expect(aborts).toEqual([timeout]);
    data('late');
    end();
    expect(aborts).toHaveLength(1);
  });

  it('sends nothing once it gets a connection', async () => {
    const { begin, now, aborts } = start();
    await vi.advanceTimersByTimeAsync(15_000);
    expect([await now(), aborts]).toEqual([{ error: timeout }, []]);
    begin();
    expect(aborts).toEqual([timeout]);
  });

  it('sends if it gets a connection in time', () => {
    const { begin, aborts } = start();
    begin();
    expect(aborts).toEqual([]);
  });
});
