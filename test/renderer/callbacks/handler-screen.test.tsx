// "Develop a handler": its states, over a stub of core.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { CallbackSend } from '#contract/app-rpc/callback-sends.ts';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import type { HandlerEntry, HandlerSession } from '#contract/app-rpc/handler.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp, type OpenedApp } from '../open-app.ts';
import { sampleCallback, sampleSend } from '../sample-callback.ts';
import { AppError, type Stubs } from '../stub-client.ts';

const at = '2026-11-29T04:00:00.000Z';
const base: HandlerSession = {
  id: 'one',
  url: 'http://localhost:3000/hook',
  receiverUrl: 'http://127.0.0.1:4545/dev',
  sender: null,
  canRain: true,
  checking: null,
  accepted: 0,
  refused: 0,
  entries: [],
};
const relayed = (number: number, isOk = true): HandlerEntry => ({
  kind: 'relayed',
  number,
  callbackId: number,
  isReplay: false,
  request: `POST /dev  precipitation_${number}`,
  response: isOk ? '204 after 3 ms' : 'Connection refused.',
  isOk,
  excerpt: '',
});
const callbackOf = (id: number, sends: Callback['sends'] = []): Callback =>
  sampleCallback({ id, target: '/dev', headers: [['x-request', String(id)]], bodyBase64: btoa(`{"n":${id}}`), sends });
const sendOf = (outcome: CallbackSend['outcome']) => [sampleSend(outcome)];

async function open(session: HandlerSession | null, stubs: Stubs = {}): Promise<OpenedApp> {
  await page.viewport(1280, 900);
  const { callbacks, handler, ...more } = stubs;
  return openApp({
    hash: '#/handler',
    stubs: {
      callbacks: {
        endpoints: () => ({
          endpoints: [],
          senders: [{ id: 'stripe', name: 'Stripe', secretName: 'signing secret' }],
        }),
        get: ({ id }) => callbackOf(id),
        ...callbacks,
      },
      handler: { state: () => ({ session }), ...handler },
      ...more,
    },
  });
}

it('says why it can’t be shown, asks for the handler and its secret, and shows why it can’t start without one', async () => {
  const wanted: unknown[] = [];
  let session: HandlerSession | null = null;
  let isLost = true;
  await open(null, {
    handler: {
      state() {
        if (isLost) throw new AppError('INTERNAL', 'The database is locked.');
        return { session };
      },
      start(input) {
        wanted.push(input);
        if (input.secret === null) throw new AppError('INVALID_INPUT', 'This connection has no webhook secret.');
        session = { ...base, canRain: false, sender: input.sender };
        return session;
      },
    },
  });
  await expectShown(page.getByText('The database is locked.'));
  isLost = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  const start = page.getByRole('button', { name: 'Start' });
  await page.getByLabelText('URL').fill('http://localhost:3000/hook');
  await start.click();
  await expectShown(page.getByText('This connection has no webhook secret.'));
  await page.getByLabelText('Sender').selectOptions('Stripe');
  await expect.element(start).toBeDisabled();
  await page.getByLabelText('Webhook secret').fill('whsec_1');
  await start.click();
  await expectShown(page.getByText('No events yet.', { exact: false }));
  await expectShown(page.getByText('The one that you entered', { exact: false }));
  await expectGone(page.getByRole('button', { name: 'Make it rain' }));
  expect(wanted).toEqual([
    { url: base.url, sender: null, secret: null },
    { url: base.url, sender: 'stripe', secret: 'whsec_1' },
  ]);
});

it('shows the secret, each request beside the handler’s response as it arrives, and sends an edited one signed', async () => {
  let session = base;
  const replayed: unknown[] = [];
  const { notify } = await open(null, {
    handler: { state: () => ({ session }), replay: (input) => (replayed.push(input), {}) },
    sandbox: { webhookSecret: () => ({ secret: 'whsec_sandbox' }) },
    callbacks: {
      get: ({ id }) =>
        callbackOf(
          id,
          sendOf({
            kind: 'answered',
            status: 500,
            headers: [['x-handler', 'mine']],
            bodyBase64: btoa('{"oops":true}'),
            truncated: false,
            firstByteMs: 2,
          }),
        ),
    },
  });
  await page.getByRole('button', { name: 'Show secret' }).click();
  await expectShown(page.getByText('whsec_sandbox'));
  await expectShown(page.getByRole('button', { name: 'Copy the secret' }));
  session = { ...base, refused: 1, entries: [relayed(7, false)] };
  notify({ topic: 'handler' });
  await expectShown(page.getByText('POST /dev  precipitation_7'));
  await expectShown(page.getByRole('region', { name: 'Request' }).getByText('x-request'));
  await expectShown(page.getByRole('region', { name: 'Response' }).getByText('x-handler'));
  await expectShown(page.getByText('"oops"'));
  await expectAccessible('an event');
  await page.getByRole('button', { name: 'Replay signed' }).click();
  await page.getByRole('button', { name: 'Edit and send…' }).click();
  await page.getByRole('textbox', { name: 'Body' }).fill('{"n":8}');
  await page.getByRole('button', { name: 'Send signed' }).click();
  await expect
    .poll(() => replayed)
    .toEqual([
      { callbackId: 7, bodyBase64: null },
      { callbackId: 7, bodyBase64: btoa('{"n":8}') },
    ]);
  await expectGone(page.getByRole('dialog'));
});

it('shows the bug of the newest check, what to do, a right handler, and the cases', async () => {
  await open({
    ...base,
    checking: 'The handler restarted',
    entries: [
      {
        kind: 'checked',
        number: 1,
        startedAt: at,
        isRight: false,
        summary: 'Checking: 1 found. 1 passed, 1 failed.',
        problems: [{ cause: 'no-check', does: 'It accepts unsigned events.', should: 'Verify the signature.' }],
        example: 'app.post("/hook")',
        cases: [
          {
            case: 'wrong-signature',
            title: 'Wrong signature',
            result: 'failed',
            tookMs: 1,
            findings: [{ what: 'It is refused', result: 'failed', detail: 'It was accepted.' }],
            exchanges: [],
          },
        ],
      },
    ],
  });
  await expectShown(page.getByText('The handler restarted…'));
  await expectShown(page.getByText('Failed · Checking: 1 found. 1 passed, 1 failed.'));
  await expectShown(page.getByText('It accepts unsigned events.'));
  await expectShown(page.getByText('Verify the signature.'));
  // The browser's search of the page finds text in a closed section.
  expect(page.getByText('A right handler').element().closest('details')?.textContent).toContain('app.post("/hook")');
  await page.getByText('A right handler').click();
  await expectShown(page.getByText('app.post("/hook")'));
  await page.getByText('Cases').click();
  await expectShown(page.getByText('Expected: It is refused. It was accepted.'));
  await expectAccessible('a bug');
  await expect.element(page.getByRole('button', { name: 'Check', exact: true })).toBeDisabled();
});

it('says that the handler is down, and lists many requests, each of which can be chosen', async () => {
  const entries = Array.from({ length: 200 }, (_, index) => relayed(index + 1, index < 199));
  await open(
    { ...base, accepted: 199, refused: 1, entries },
    {
      callbacks: {
        get: ({ id }) => callbackOf(id, id === 200 ? sendOf({ kind: 'failed', message: 'Connection refused.' }) : []),
      },
    },
  );
  await expectShown(page.getByText('199 with 2xx, 1 other'));
  await expectShown(page.getByRole('region', { name: 'Response' }).getByText('Connection refused.', { exact: false }));
  const list = page.getByRole('list', { name: 'Events' });
  expect(list.element().getBoundingClientRect().height).toBeLessThan(260);
  await list.getByText('POST /dev  precipitation_1', { exact: true }).click();
  await expectShown(page.getByText('Request 1', { exact: true }));
  await expectShown(page.getByText('Waiting for the response…'));
});
