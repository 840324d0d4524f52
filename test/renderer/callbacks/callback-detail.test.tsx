// The details of a callback: the verdict in one line, and the body above the fold.
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallbackSend, ReplayRunState } from '#contract/app-rpc/callback-sends.ts';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { expectGone, expectShown, openApp, type OpenedApp, readyStatus } from '../open-app.ts';
import { sampleCallback, sampleSend } from '../sample-callback.ts';
import { AppError, type Stubs } from '../stub-client.ts';

const body = JSON.stringify({ id: 'evt_1', type: 'payment', data: { amount: 4_200, list: [1, { deep: true }] } });
const callback = sampleCallback({
  target: '/stripe',
  sizeBytes: body.length,
  sender: 'Stripe',
  eventType: 'payment',
  verdict: 'unknown',
  verdictName: 'signed',
  headers: [['content-type', 'application/json']],
  bodyBase64: btoa(body),
  checks: [{ check: 'sender', verdict: 'ok', message: 'Recognized as Stripe.' }],
});

const unread = { count: 0, isMore: false, throughId: 1 };

async function open(more: Stubs['callbacks'] = {}): Promise<OpenedApp> {
  await page.viewport(1280, 800);
  const opened = openApp({
    hash: '#/callbacks/1',
    stubs: {
      app: { status: () => ({ ...readyStatus, callbackCount: 1, newestCallbackId: 1 }) },
      callbacks: {
        list: () => ({ items: [callback], total: 1, newestId: 1 }),
        get: () => callback,
        markRead: () => unread,
        ...more,
      },
    },
  });
  await expectShown(page.getByText('"amount"'));
  return opened;
}

it('shows the verdict in one line that opens, and the body in the upper half of 1280 × 800', async () => {
  await open();
  const region = page.getByRole('region', { name: 'Verdict' });
  expect(region.element().getBoundingClientRect().height).toBeLessThan(48);
  expect(page.getByText('"amount"').element().getBoundingClientRect().bottom).toBeLessThan(400);
  expect(page.getByRole('radiogroup', { name: 'Callback details' }).elements()).toHaveLength(1);
  await expectGone(page.getByText('Recognized as Stripe.'));
  // What a user copies of the body is JSON, without line numbers and marks of branches.
  getSelection()?.selectAllChildren(page.getByRole('region', { name: 'Body', exact: true }).element());
  expect(JSON.parse(String(getSelection()))).toEqual(JSON.parse(body));
  // Two are compared from the selection.
  await expectGone(page.getByRole('button', { name: 'Compare' }));
  await region.getByText('Signed (not checked)').click();
  await expectShown(page.getByText('Recognized as Stripe.'));
  await page.getByText('Response 200').click();
  await expectShown(page.getByText('Responded with 200 after 3 ms'));
});

it('says why nothing was decoded, and that a long response could not be laid out', async () => {
  const decoded = { coding: 'gzip', bodyBase64: '', sizeBytes: 0, problem: 'It ends too early.' };
  const answer = { action: 'answer' as const, status: 200, headers: [], body: 'rain '.repeat(4_000), delayMs: 0 };
  await open({ get: () => ({ ...callback, decoded, answer: { ...answer, rule: null, step: null } }) });
  await expectShown(page.getByText(/^gzip, \d+ B\. It ends too early\.$/));
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      terminate() {}
      postMessage() {
        this.dispatchEvent(new Event('error'));
      }
    },
  );
  await page.getByText('Response 200').click();
  await expectShown(page.getByRole('alert').getByText(/Showing the first part as received\./));
  await expectShown(page.getByText(/^rain rain/).first());
  vi.unstubAllGlobals();
});

it('shows a long value of JSON to its end', async () => {
  const long = `${'rain '.repeat(4_000)}to the end`;
  await open({ get: () => ({ ...callback, bodyBase64: btoa(JSON.stringify({ amount: long })) }) });
  await expectGone(page.getByText(/to the end"/));
  await page.getByRole('region', { name: 'Body', exact: true }).getByRole('button', { name: 'Show more' }).click();
  await expectShown(page.getByText(/to the end"/));
  await expectGone(page.getByRole('button', { name: 'Show more' }));
});

it('leads keys to branches of the tree that are out of view, and from deep ones to those around', async () => {
  const depth = 24;
  const leaves = Array.from({ length: 200 }, (_, index) => [`leaf${index}`, index]);
  const deep = Array.from({ length: depth }).reduce<unknown>((inner) => ({ in: inner }), { end: [1, {}] });
  const wide = JSON.stringify({ amount: 1, 'first\u202E': { a: 1 }, ...Object.fromEntries(leaves), deep });
  await open({ get: () => ({ ...callback, bodyBase64: btoa(unescape(encodeURIComponent(wide))) }) });
  const tree = page.getByRole('region', { name: 'Body', exact: true });
  await expect.element(tree.getByText('"amount"')).toHaveAttribute('data-kind', 'key');
  const branch = (name: string) => tree.getByRole('button', { name, exact: true });
  (tree.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(branch(String.raw`Fold $['first\u202E']`)).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(branch('Fold $.deep')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}'.repeat(depth));
  await expect.element(branch(`Fold $.deep${'.in'.repeat(depth)}`)).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(branch(`Unfold $.deep${'.in'.repeat(depth)}`)).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(branch(`Fold $.deep${'.in'.repeat(depth - 1)}`)).toHaveFocus();
  await userEvent.keyboard('{PageUp}{PageUp}{PageUp}');
  await expect.element(tree).toHaveFocus();
});

it('shows a message if a copy fails', async () => {
  await open();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await page.getByRole('button', { name: 'Copy the body' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Couldn’t copy to the clipboard');
  await expectGone(page.getByRole('alert'));
  await expectShown(page.getByRole('button', { name: 'Copy the body' }));
});

it('replays as received or signed afresh, and signs an edited body unless the user chooses otherwise', async () => {
  const sent: unknown[] = [];
  const send = sampleSend({ kind: 'skipped', message: 'Not sent.' });
  (await open()).stub({ sends: { replay: ({ signing }) => (sent.push(signing), send) } });
  await page.getByRole('button', { name: 'Replay' }).click();
  await expectShown(page.getByText(/an ID in the body stays\.$/));
  const submit = page.getByRole('button', { name: 'Send', exact: true });
  const signature = page.getByLabelText('Signature');
  const sendNext = async (count: number) => {
    await submit.click();
    await expect.poll(() => sent.length).toBe(count);
  };
  await sendNext(1);
  await signature.selectOptions('Signed afresh, new ID');
  await sendNext(2);
  await page.getByText('Edit first').click();
  await sendNext(3);
  await signature.selectOptions('Signed afresh if the body was edited');
  await sendNext(4);
  await signature.selectOptions('As in the headers');
  await sendNext(5);
  expect(sent).toEqual(['as-received', 'new-id', 'new-id', undefined, 'as-received']);
});

it('sends an edited request, shows the response, and lets go of what was edited', async () => {
  const sends: CallbackSend[] = [];
  (await open({ get: () => ({ ...callback, sends }) })).stub({
    sends: {
      replay({ url, edited }) {
        if (url?.includes('169.254')) throw new AppError('REFUSED', '169.254.169.254 is a link-local address.');
        const response = { headers: [], bodyBase64: btoa('{"thanks":true}'), truncated: false, firstByteMs: 1 };
        const send = sampleSend(
          { kind: 'answered', status: 202, ...response },
          { kind: 'edit', url: url ?? '', ...edited },
        );
        sends.push(send);
        return send;
      },
    },
  });
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay this callback' });
  const send = () => dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByLabelText('URL').fill('nowhere');
  await send();
  await expectShown(dialog.getByText('starts with http://'));
  await dialog.getByLabelText('URL').fill('http://169.254.169.254/latest');
  await send();
  await expectShown(dialog.getByText('169.254.169.254 is a link-local address.'));
  await dialog.getByLabelText('URL').fill('http://127.0.0.1:3000/in');
  await dialog.getByText('Edit first').click();
  expect(sends).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: text/plain');
  await dialog.getByLabelText('Body', { exact: true }).fill('edited ü');
  await userEvent.keyboard('{Escape}');
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Keep editing' }).click();
  await send();
  await expectShown(dialog.getByText(/responded with 202 after/));
  await expectShown(dialog.getByText('"thanks"'));
  expect(sends).toMatchObject([{ headers: [['Content-Type', 'text/plain']], bodyBase64: 'ZWRpdGVkIMO8' }]);
  // What was sent is not asked about again.
  await userEvent.keyboard('{Escape}');
  await expectGone(page.getByRole('dialog'));
});

it('says what confirmed its event', async () => {
  const outcome = {
    verdict: 'confirmed' as const,
    evidence: {
      kind: 'station' as const,
      source: 'metar:LIMF',
      observed_at: '2026-11-21T06:50:00',
      distance_km: 4.2,
      text: '-RA',
    },
    lead_time_seconds: 720,
  };
  const attempt: AppDelivery = {
    id: 'delivery-1',
    eventId: 'event-1',
    attempt: 1,
    kind: 'first',
    startedAt: callback.receivedAt,
    latencyMs: 18,
    httpStatus: 200,
    error: null,
    answer: '',
    outcome,
  };
  const attempts = [{ ...attempt, callbackId: 1 }];
  await open({
    get: () => ({ ...callback, kind: 'event', isMonitorOwn: true, monitorId: 'precipitation_1' }),
    delivery: () => ({ isAvailable: true, attempt, arrivedAfterMs: 3, isCopy: false, attempts }),
  });
  const accuracy = page.getByRole('note', { name: 'Accuracy' });
  await expect.element(accuracy).toHaveTextContent('Confirmed by LIMF at 06:50Z: -RA, 4 km away');
});

it('starts a replay of the selection, shows its progress and results, also after a reload, stops it, and sends the rest', async () => {
  const response = { headers: [], bodyBase64: '', truncated: false, firstByteMs: 1 };
  const url = 'http://127.0.0.1:3000/';
  const resultOf = (callbackId: number) => {
    const outcome = { kind: 'answered', status: callbackId === 2 ? 500 : 200, ...response } as const;
    return { callbackId, url, tookMs: 3, outcome };
  };
  const runAt = (sent: number, isRunning: boolean): ReplayRunState => ({
    url,
    isRunning,
    failure: null,
    total: 500,
    sent,
    accepted: sent - 1,
    results: Array.from({ length: sent }, (_, index) => resultOf(sent - index)),
  });
  let run: ReplayRunState | null = null;
  const called: unknown[] = [];
  const sends: Stubs['sends'] = {
    replayRun: () => ({ run }),
    startReplay: (input) => (called.push(input), {}),
    controlReplay: ({ action }) => (called.push(action), {}),
  };
  const { store, notify, stub } = await open();
  stub({ sends });
  const ids = Array.from({ length: 500 }, (_, index) => index + 1);
  store.getState().callbackSelection.selectMany(ids);
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay 500 callbacks' });
  await dialog.getByLabelText('URL').fill(url);
  await dialog.getByLabelText('Times', { exact: true }).fill('2');
  await dialog.getByLabelText('Pause between').fill('0.2');
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  const choice = { kind: 'ids', ids };
  const started = { choice, times: 2, url, signing: 'as-received', delayMs: 200 };
  await expect.poll(() => called).toEqual([started]);
  run = runAt(120, true);
  notify({ topic: 'replay' });
  await expectShown(dialog.getByText(`Replaying: 120 of 500 sent to ${url} · 119 accepted · 1 failed`));
  await dialog.getByRole('button', { name: 'Stop' }).click();
  run = runAt(121, false);
  const again = await open();
  again.stub({ sends });
  again.notify({ topic: 'replay' });
  await page.getByRole('toolbar', { name: 'Replay' }).getByRole('button', { name: 'Show' }).click();
  const shown = page.getByRole('dialog', { name: 'Replay' });
  await expectShown(shown.getByText(`Replay stopped: 121 of 500 sent to ${url} · 120 accepted · 1 failed`));
  await expectShown(shown.getByText('2: responded with 500 after 3 ms'));
  await shown.getByRole('button', { name: 'Send the other 379' }).click();
  run = runAt(500, false);
  again.notify({ topic: 'replay' });
  await expectShown(shown.getByText('Replay done: 500 of 500 sent'));
  expect(shown.getByRole('listitem').elements()).toHaveLength(500);
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => called.slice(1)).toEqual(['stop', 'continue', 'dismiss']);
});

const episodeId = 'ep_1';
const part = (id: number, type: 'expected' | 'started' | 'ended', at: string, amount: number | null = null) => {
  const eventType = `precipitation.${type}` as const;
  const own = { monitorId: 'precipitation_17', isMonitorOwn: true, kind: 'event' as const };
  const { sender: _, ...rest } = callback;
  return { row: { ...rest, ...own, id, eventType, episodeId }, part: { callbackId: id, type: eventType, at, amount } };
};

it('shows an episode as one story, and follows it', async () => {
  const story = [
    part(2, 'expected', '2026-11-28T13:45:00Z'),
    part(3, 'started', '2026-11-28T14:02:00Z'),
    part(4, 'ended', '2026-11-28T15:40:00Z', 6.1),
  ];
  let arrived = 2;
  const stored = () => story.slice(0, arrived);
  const count = () => ({ callbackCount: arrived + 1, newestCallbackId: arrived + 1 });
  const { notify } = openApp({
    hash: '#/callbacks/3',
    settings: { zone: 'utc' },
    stubs: {
      app: { status: () => ({ ...readyStatus, ...count() }) },
      callbacks: {
        list: () => ({
          items: [...stored().map(({ row }) => row), callback].toSorted((one, other) => other.id - one.id),
          total: arrived + 1,
          newestId: arrived + 1,
        }),
        get: ({ id }) => ({
          ...(story.find(({ row }) => row.id === id)?.row ?? callback),
          episode: stored().map((each) => each.part),
        }),
        markRead: () => unread,
        delivery: () => null,
      },
    },
  });
  const episode = page.getByRole('list', { name: 'Episode' });
  await expect.element(episode).toHaveTextContent('Expected 13:45Started 14:02');
  arrived = 3;
  notify({ topic: 'callbacks', newestId: 4, total: 4 });
  await expect.element(episode).toHaveTextContent('Expected 13:45Started 14:02Ended 15:40, 6.1 mm');
  await expectShown(page.getByText('ended · precipitation_17'));
  await episode.getByRole('link', { name: 'Ended 15:40, 6.1 mm' }).click();
  await expect.element(episode.getByRole('link', { name: 'Started 14:02' })).toBeVisible();
  await expectGone(episode.getByRole('link', { name: 'Ended 15:40, 6.1 mm' }));
});
