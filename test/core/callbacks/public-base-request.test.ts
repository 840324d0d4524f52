// The test request that a public URL needs before it is saved.
import { expect, test } from 'vitest';
import { createPublicBase } from '#core/callbacks/public-base.ts';
import type { OutgoingRequest } from '#core/callbacks/send-request.ts';
import type { CallbackPages } from '#core/receiver/records/callback-pages.ts';
import type { Receiver } from '#core/receiver/server/receiver.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import type { SendOutcome } from '#contract/app-rpc/callback-sends.ts';
import { storedCallback } from './stored-callback.ts';

const answered = (status: number): SendOutcome => ({
  kind: 'answered',
  status,
  headers: [],
  bodyBase64: '',
  truncated: false,
  firstByteMs: 1,
});

function start(outcome: SendOutcome, isArriving: boolean, baseUrl: string | null = 'http://127.0.0.1:4545') {
  const sent: [OutgoingRequest, number, AbortSignal | undefined][] = [];
  const log = { removed: [] as (readonly number[])[], saved: [] as unknown[], changed: 0, pages: [] as unknown[] };
  const page: CallbackPages['page'] = (options) => {
    log.pages.push(options);
    const target = isArriving ? new URL(sent[0]?.[0].url ?? '').pathname : '/hooks/check-other';
    return [storedCallback({ id: 8 }), storedCallback({ id: 7, target })];
  };
  const { change } = createPublicBase({
    sender: {
      async send(...request) {
        sent.push([request[0], request[1], request[2]]);
        return { startedAt: 0, tookMs: 0, headers: [], outcome };
      },
    },
    pages: { page },
    receiver: {
      state: () => ({ state: 'listening', baseUrl, notice: null }),
      remove: async (ids) => void log.removed.push(ids),
    } satisfies Pick<Receiver, 'state' | 'remove'>,
    settings: { update: (changes: unknown) => void log.saved.push(changes) } as unknown as AppSettings,
    onChanged: () => void (log.changed += 1),
  });
  return { change, log, sent };
}

test('saves a URL after a marked test request arrived, and removes that request', async () => {
  const { change, log, sent } = start(answered(200), true);
  const { signal } = new AbortController();
  await change(' https://rain.example.net/ ', signal);
  const [[request, limit, given] = []] = sent;
  const [, name] = /^https:\/\/rain\.example\.net\/hooks\/check-([\da-f-]{36})$/.exec(request?.url ?? '') ?? [];
  expect([request, limit, given === signal]).toEqual([
    {
      method: 'POST',
      url: expect.any(String),
      headers: [
        ['content-type', 'application/json'],
        ['webhook-id', `test_${name}`],
        ['x-rainbell-forwarded', '1'],
      ],
      body: Buffer.from('{}'),
    },
    1024,
    true,
  ]);
  expect(log).toEqual({
    removed: [[7]],
    saved: [{ publicBase: 'https://rain.example.net' }],
    changed: 1,
    pages: [{ beforeId: undefined, limit: 100 }],
  });
});

test.each<[string, SendOutcome, string | null, RegExp]>([
  ['another server responds', answered(404), 'http://127.0.0.1:4545', / 404\. .*http:\/\/127\.0\.0\.1:4545/],
  ['nothing responds', { kind: 'failed', message: 'No route.' }, null, /No route\. .*the receiver/],
])('saves nothing if %s', async (_, outcome, baseUrl, message) => {
  const { change, log } = start(outcome, false, baseUrl);
  await expect(change('https://rain.example.net')).rejects.toMatchObject({
    code: 'NETWORK',
    message: expect.stringMatching(message),
    details: { field: 'base' },
  });
  expect([log.removed, log.saved, log.changed]).toEqual([[], [], 0]);
});

test('deletes the URL without a request', async () => {
  const { change, log, sent } = start(answered(200), true);
  await change(null);
  expect([log.saved, sent]).toEqual([[{ publicBase: null }], []]);
});

test.each([
  '',
  'rain',
  'ftp://a.test',
  'https://a.test/x',
  'https://a.test/?x',
  'https://a.test/#x',
  'https://u@a.test',
])('refuses “%s”', async (base) => {
  const { change, log, sent } = start(answered(200), true);
  await expect(change(base)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'base' } });
  expect([log.saved, sent]).toEqual([[], []]);
});
