// The dialogs of the receiver: rules, held requests, forwarding, named paths, its public URL, and the feed.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import { type EndpointState, endpointStateSchema } from '#contract/app-rpc/callbacks.ts';
import type { InboxState } from '#contract/app-rpc/feed.ts';
import { type ForwardState, forwardStateSchema } from '#contract/app-rpc/callback-sends.ts';
import { type ReceiverRules, receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp, readyStatus } from '../open-app.ts';
import { AppError, type Stubs } from '../stub-client.ts';
import { listOf, monitorOf } from '../monitors/monitor-samples.ts';
import { openCallbacks } from './stored-callbacks.ts';

const { keyboard } = userEvent;
const dialog = page.getByRole('dialog');
const button = (name: string | RegExp) => page.getByRole('button', { name });
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
const save = () => dialog.getByRole('button', { name: 'Save' }).click();

async function openFromMenu(item: string): Promise<void> {
  await button('More').click();
  await page.getByRole('menuitem', { name: item }).click();
  await expectShown(dialog);
}

/** Rules that are kept as core keeps them. */
function storedRules(): NonNullable<Stubs['rules']> {
  let stored: ReceiverRules = { pause: 'off', rules: [] };
  return { get: () => stored, replace: (rules) => (stored = receiverRulesSchema.parse(rules)) };
}

it('pauses the receiver, and names what is wrong in a rule', async () => {
  openCallbacks([], { rules: storedRules() });
  await button('Response rules: none').click();
  await button('Add a rule').click();
  await field('Path').fill('hooks');
  await page.getByText('Paused, responds with 503').click();
  await save();
  await expectShown(page.getByText('Start with /, for example'));
  await button('Remove Rule 1').click();
  await save();
  await expectGone(dialog);
  await expectShown(button('Response rules: paused, 503'));
  await expectAccessible('a receiver that is paused');
});

it('forwards to an address, stays in the dialog if that is refused, and says how it fares', async () => {
  let targets: ForwardState[] = [];
  openCallbacks([], {
    sends: {
      forwardTargets: () => ({ targets }),
      replaceForwardTargets(asked) {
        if (asked.targets.some(({ url }) => url.includes('169.254')))
          throw new AppError('INVALID_INPUT', '169.254.169.254 is a link-local address.');
        const counts = { sent: 2, accepted: 1, failed: 1, waiting: 0 };
        const fares = { ...counts, hasSecret: false, last: null };
        targets = asked.targets.map((target) => forwardStateSchema.parse({ ...target, ...fares }));
        return { targets };
      },
    },
  });
  await openFromMenu('Forward…');
  await expect.element(dialog.getByRole('button', { name: 'Add a URL' })).toHaveFocus();
  await keyboard('{Enter}http://169.254.169.254/');
  await dialog.getByLabelText('Only callbacks to this path').fill('hooks');
  await save();
  await expectShown(dialog.getByText('Start with /'));
  await expect.element(dialog.getByLabelText('Only callbacks to this path')).toHaveFocus();
  await dialog.getByLabelText('Only callbacks to this path').fill('/hooks/*');
  await save();
  await expectShown(dialog.getByText('169.254.169.254 is a link-local address.'));
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect.element(dialog.getByRole('button', { name: 'Add a URL' })).toHaveFocus();
  await keyboard('{Enter}nowhere');
  await save();
  await expectShown(dialog.getByText('starts with http://'));
  await field('URL').fill('http://127.0.0.1:9/');
  await save();
  await expectGone(dialog);
  await openFromMenu('Forward…');
  await expect.element(field('URL')).toHaveFocus();
  await expect.element(field('URL')).toHaveValue('http://127.0.0.1:9/');
  await expectShown(dialog.getByText('2 sent · 1 accepted · 1 failed'));
});

it('names paths, and shows the callbacks of one', async () => {
  let endpoints: EndpointState[] = [];
  openCallbacks([{ target: '/hooks/torino' }, { target: '/hooks/torino' }, { target: '/other' }], {
    callbacks: {
      endpoints: () => ({ endpoints, senders: [] }),
      replaceEndpoints(asked) {
        const counts = { total: 2, bytes: 9, secrets: 0 };
        endpoints = asked.endpoints.map((endpoint) => endpointStateSchema.parse({ ...endpoint, ...counts }));
        return {};
      },
    },
  });
  await openFromMenu('Paths…');
  await expect.element(dialog.getByRole('button', { name: 'Add a path' })).toHaveFocus();
  await keyboard('{Enter}');
  await field('Path').fill('/hooks/torino');
  await save();
  await expectShown(dialog.getByText('Enter a name'));
  await expect.element(field('Name')).toHaveFocus();
  await keyboard('Torino');
  await save();
  await expectGone(dialog);
  await openFromMenu('Paths…');
  await expect.element(field('Name')).toHaveValue('Torino');
  await button('Show its callbacks').click();
  await expectShown(page.getByText(/^2 callbacks · /));
  await expect.element(page.getByLabelText('Search the callbacks')).toHaveValue('path:/hooks/torino');
});

it('saves a public URL only once a request to it has arrived, removes it, and listens with HTTPS on request', async () => {
  let publicBase: string | null = null;
  const asked: object[] = [];
  const access = { port: 4545, lan: false, lanUrls: [] };
  const authority = { pem: 'PEM', fingerprint: 'AB:CD' };
  const { store } = openCallbacks([], {
    app: {
      changePublicBase({ base }) {
        if (base?.includes('elsewhere')) throw new AppError('REFUSED', 'another server responded with 202');
        publicBase = base;
        void store.getState().settings.update({ publicBase });
        return {};
      },
      changeReceiverAccess(change) {
        asked.push(change);
        const expiresAt = new Date().toISOString();
        return { ...access, tls: change.tls, authority: change.tls ? { ...authority, expiresAt } : null };
      },
    },
  });
  await openFromMenu('Receiver settings…');
  await expect.element(dialog.getByRole('switch', { name: /^HTTPS/ })).toHaveFocus();
  await expectShown(dialog.getByText('There is no secret, so signatures aren’t verified.'));
  const form = page.getByRole('form', { name: 'Public URL' });
  const typed = form.getByLabelText('Public tunnel URL');
  await typed.fill('https://elsewhere.example');
  await form.getByRole('button', { name: 'Test and save' }).click();
  await expectShown(form.getByRole('alert').getByText('another server responded with 202'));
  expect(publicBase).toBeNull();
  await typed.fill('https://tunnel.example');
  await form.getByRole('button', { name: 'Test and save' }).click();
  await expectShown(form.getByText('New monitors on remote services use https://tunnel.example.'));
  await expect.element(typed).toHaveValue('');
  await form.getByRole('button', { name: 'Remove URL' }).click();
  await expectShown(form.getByText('can’t reach this receiver'));
  await dialog.getByRole('switch', { name: /^HTTPS/ }).click();
  await expectShown(page.getByText('SHA-256 of the CA certificate: AB:CD'));
  expect(asked).toEqual([{ tls: true, lan: false }]);
});

it('leads to the monitors that call it by its old URL', async () => {
  openCallbacks([], {
    monitors: {
      list: () =>
        listOf([
          monitorOf('precipitation_1', { callbackUri: 'https://127.0.0.1:4545/rain' }),
          monitorOf('precipitation_2', { callbackUri: 'http://127.0.0.1:4545/rain' }),
        ]),
    },
  });
  await openFromMenu('Receiver settings…');
  await expectShown(dialog.getByText('1 monitor still calls the receiver’s old URL.'));
  await dialog.getByRole('link', { name: 'Show them to set their callback URL' }).click();
  await expectShown(page.getByRole('row', { name: /precipitation_1/ }));
  await expectGone(page.getByRole('row', { name: /precipitation_2/ }));
});

it('says when the feed fails, and marks what comes by it', async () => {
  const problem = { code: 'SERVER', message: 'Down.', details: { trafficId: 7 } } as const;
  let feed: AppStatus['feed'] = { state: 'off', problem: null, hasGap: false };
  const { notify, receive } = openCallbacks([], {
    app: { status: () => ({ ...readyStatus, feed }) },
    feed: { inbox: () => ({ isOffered: false, url: null }) },
  });
  await openFromMenu('Receiver settings…');
  await dialog.getByRole('switch', { name: 'Read events from the feed' }).click();
  feed = { state: 'failed', problem, hasGap: false };
  notify({ topic: 'status' });
  await expectShown(dialog.getByText(/^Couldn’t read the feed from Sandbox: /));
  await expectShown(dialog.getByRole('button', { name: 'Open in Traffic: the feed' }));
  await keyboard('{Escape}');
  await expectShown(page.getByText('Feed: retrying…'));
  const outcome = { kind: 'unrecorded', at: null, afterMs: null, bytesSent: null } as const;
  receive({ target: '/hooks/rain', isByFeed: true, outcome, answeredStatus: 0 });
  const row = page.getByRole('option', { name: '/hooks/rain' });
  await expectShown(row.getByText('From feed'));
  await row.click();
  const detail = page.getByRole('region', { name: 'Callback', exact: true });
  await expectShown(detail.getByText(/From the feed at 127\.0\.0\.1/));
  await page.getByText('Response From feed').click();
  await expectShown(detail.getByText('Read from the feed, so no response was sent'));
});

async function openSettings(state: InboxState): Promise<string[]> {
  const asked: string[] = [];
  const address = (number: number) => ({ isOffered: true, url: `https://rain.example/in/app-token${number}/` });
  openApp({
    hash: '#/callbacks',
    settings: { readsFeed: true },
    stubs: {
      app: { status: () => ({ ...readyStatus, feed: { state: 'reading', problem: null, hasGap: false } }) },
      feed: {
        inbox: () => state,
        openInbox() {
          asked.push('open');
          return address(asked.length);
        },
        closeInbox() {
          asked.push('close');
          return { isOffered: true, url: null };
        },
      },
    },
  });
  await openFromMenu('Receiver settings…');
  return asked;
}

it('opens an inbox, shows its address, replaces it, and closes it', async () => {
  const asked = await openSettings({ isOffered: true, url: null });
  await page.getByRole('button', { name: 'Open an inbox' }).click();
  await expectShown(page.getByText('https://rain.example/in/app-token1/'));
  await page.getByRole('button', { name: 'New address' }).click();
  await expectShown(page.getByText('https://rain.example/in/app-token2/'));
  await page.getByRole('button', { name: 'Close and delete' }).click();
  await expectGone(page.getByText('https://rain.example/'));
  expect(asked).toEqual(['open', 'open', 'close']);
});

it('offers none if the service has none', async () => {
  await openSettings({ isOffered: false, url: null });
  await expectShown(page.getByText('Read events from the feed'));
  await expectGone(page.getByRole('button', { name: 'Open an inbox' }));
});
