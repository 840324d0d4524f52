// Access and traffic: what their screens show of tokens and requests, and what the user's buttons ask for.
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { maskText } from '#shared/text/mask-text.ts';
import type { Flow, SessionState, SignInResult, TokenCard } from '#contract/app-rpc/session.ts';
import type { TrafficEntry, TrafficSummary } from '#contract/app-rpc/traffic.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp, readyStatus, session } from '../open-app.ts';
import { sampleExchange } from '../sample-traffic.ts';
import type { Stubs } from '../stub-client.ts';

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const button = (name: string | RegExp) => page.getByRole('button', { name });

function validToken<Owner extends TokenCard['owner']>(owner: Owner, changes: Partial<TokenCard> = {}) {
  const grant = owner === 'user' ? ('password' as const) : ('client_credentials' as const);
  const times = { obtainedAt: soon(0), expiresAt: soon(3_600), refreshable: true };
  return { ...session[owner], state: 'valid' as const, grant, ...times, ...changes };
}

/** An application with a token, and the user's procedures on `state`. */
function openAccess(more: Stubs['session'] = {}, changes: Partial<TokenCard> = {}) {
  let state: SessionState = { ...session, application: validToken('application', changes) };
  const refreshed = vi.fn<(input: object) => void>();
  const opened = openApp({
    hash: '#/access',
    stubs: {
      session: {
        state: () => state,
        reveal: () => ({ token: 'access-1', jwt: null }),
        refresh(input) {
          refreshed(input);
          return state;
        },
        deleteToken() {
          state = { ...state, application: session.application };
          return state;
        },
        ...more,
      },
    },
  });
  return { ...opened, refreshed, card: page.getByRole('region', { name: 'Application token' }) };
}

const flowOf = (way: Flow['way'], outcome: string, field: [string, string]): Flow => ({
  id: '1',
  connectionId: 'sandbox',
  connectionName: 'Sandbox',
  way,
  startedAt: soon(-2),
  endedAt: soon(-1),
  outcome,
  message: null,
  steps: [
    {
      at: soon(-1),
      kind: 'redirect',
      title: 'The sign-in page redirected to the app.',
      method: null,
      url: null,
      status: null,
      tookMs: null,
      trafficId: null,
      fields: [field],
      deviations: [],
    },
  ],
});

it('shows the sandbox’s account in place of its button, and gives it the focus', async () => {
  const account = { username: 'ada', password: 'lovelace', clientId: 'id-1', clientSecret: 'secret-1' };
  openApp({ hash: '#/sandbox', stubs: { sandbox: { account: () => account } } });
  await button('Show credentials').click();
  await expect.element(page.getByRole('group', { name: 'The sandbox’s credentials' })).toHaveFocus();
  await expectShown(button('Copy the client ID'));
});

describe('the access screen', () => {
  it('counts a token down, keeps it masked until requested, refreshes it, and deletes it', async () => {
    const { card, refreshed } = openAccess();
    await expectShown(card.getByText('Client credentials'));
    await expect.element(card).toMatchTextContent(/59:\d\d/);
    expect(document.body.innerHTML).not.toContain('access-1');
    await card.getByRole('button', { name: /Reveal the access token/ }).click();
    await expectShown(card.getByText('access-1'));
    await card.getByRole('button', { name: /Hide the access token/ }).click();
    await expectGone(card.getByText('access-1'));
    await card.getByRole('button', { name: 'Refresh now' }).click();
    await expectShown(page.getByText('New token received'));
    expect(refreshed.mock.calls).toEqual([[{ owner: 'application' }]]);
    await card.getByRole('button', { name: 'Delete' }).click();
    await expectShown(card.getByText('The app gets it automatically.'));
  });

  it('shows each second whether a token that is not in use is valid, and promises no refresh ahead', async () => {
    openAccess({ state: () => ({ ...session, user: validToken('user', { expiresAt: soon(600) }) }) });
    const card = page.getByRole('region', { name: 'User token' });
    await expectShown(card.getByText('Time left · refreshes on next use'));
    await expectShown(card.getByText('Valid', { exact: true }));
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 601_000);
    await expectShown(card.getByText('Expired', { exact: true }));
    await expectShown(card.getByText('Refreshes on next use'));
    await expectGone(card.getByText('Valid', { exact: true }));
  });

  it('empties the password field at once, and keeps the password nowhere on the page', async () => {
    const asked = vi.fn<(input: object) => void>();
    openAccess({
      signIn(input) {
        asked(input);
        const problem = { error: 'invalid_grant', description: 'Name or password is wrong', problem: null };
        return { outcome: 'refused', flowId: 'f', message: 'The service refused the sign-in.', ...problem };
      },
    });
    await page.getByText('Password', { exact: true }).click();
    const password = page.getByRole('textbox', { name: 'Password' });
    await password.fill('never-kept-4711');
    await page.getByLabelText('Username').fill(' ');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectShown(page.getByText('Enter both username and password.'));
    await page.getByLabelText('Username').fill('tester');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectShown(page.getByRole('heading', { name: 'Refused by the service' }));
    await expect.element(password).toHaveValue('');
    await expectShown(page.getByText('Name or password is wrong').first());
    expect(document.body.innerHTML).not.toContain('never-kept-4711');
    expect(asked.mock.calls).toMatchObject([[{ way: 'password', username: 'tester', password: 'never-kept-4711' }]]);
  });

  it('signs in by the browser: says that the user denied access, until that is dismissed, and logs each step', async () => {
    const started = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<SignInResult>();
    let flows: Flow[] = [];
    let open: SessionState['open'] = null;
    const { notify } = openAccess({
      state: () => ({ ...session, open, flows }),
      signIn() {
        started.resolve();
        return answered.promise;
      },
    });
    await button('Sign in with my browser').click();
    await started.promise;
    open = { address: 'http://127.0.0.1:1/authorize/' };
    notify({ topic: 'session' });
    await expect
      .element(page.getByRole('link', { name: 'Open sign-in page' }))
      .toHaveAttribute('href', 'http://127.0.0.1:1/authorize/');
    await expectAccessible('a sign-in in the browser');
    open = null;
    flows = [flowOf('authorization_code', 'denied', ['error', 'access_denied'])];
    answered.resolve({ outcome: 'denied', flowId: '1', message: 'You denied access.' });
    await expectShown(page.getByRole('heading', { name: 'Access denied' }));
    const steps = page.getByRole('list', { name: 'Steps: Authorization code' });
    await expectShown(steps.getByText('access_denied'));
    await button('Dismiss').click();
    await expectGone(page.getByRole('heading', { name: 'Access denied' }));
  });

  it('offers no refresh of a token that ends for good', async () => {
    openAccess({ state: () => ({ ...session, user: validToken('user', { grant: 'implicit', refreshable: false }) }) });
    const card = page.getByRole('region', { name: 'User token' });
    await expectShown(card.getByText('Time left · then sign in again'));
    await expectGone(card.getByRole('button', { name: 'Refresh now' }));
  });

  it('stops waiting for a token, and shows the one that comes later', async () => {
    const { card, notify, stub } = openAccess({ refresh: () => new Promise(() => {}) });
    await card.getByRole('button', { name: 'Refresh now' }).click();
    const waiting = page.getByRole('status').filter({ hasText: /^Waiting for the service, / });
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await expectShown(card.getByText('If the service responds later, the token will be updated here.'));
    await expectGone(waiting);
    const later = { ...session, application: validToken('application', { expiresAt: soon(7_777) }) };
    stub({ session: { state: () => later } });
    notify({ topic: 'session' });
    await expectShown(card.getByText(/^2:0\d:\d\d/));
  });

  it('names each deviation of a token response from the RFC', async () => {
    const deviations = [{ section: 'RFC 6749 §5.1', message: 'expires_in is a string.' }];
    const { card } = openAccess({}, { deviations });
    await expectShown(card.getByText('RFC 6749 §5.1'));
    await expectShown(card.getByText('expires_in is a string.'));
  });
});

const exchange = (id: number, changes: Partial<TrafficEntry> = {}): TrafficEntry =>
  sampleExchange(id, {
    at: soon(-id),
    url: `http://127.0.0.1:1/v2/weather/?location_lat=${id}`,
    requestHeaders: [['authorization', `Bearer ${maskText}`]],
    ...changes,
  });

function openTraffic(entries: TrafficEntry[]) {
  let kept = entries;
  const replayed: number[] = [];
  type Wanted = { kind?: string | undefined; text?: string | undefined; failedOnly?: boolean | undefined };
  const fits = ({ kind, url, status }: TrafficSummary, wanted: Wanted) =>
    (wanted.kind === undefined || kind === wanted.kind) &&
    url.includes(wanted.text ?? '') &&
    (!wanted.failedOnly || status === null || status >= 400);
  const opened = openApp({
    hash: '#/traffic',
    stubs: {
      traffic: {
        list(wanted) {
          const items = kept.filter((one) => fits(one, wanted)).toSorted((one, other) => other.id - one.id);
          return { items, total: kept.length, newestId: Math.max(0, ...kept.map(({ id }) => id)) };
        },
        get: ({ id }) => kept.find((one) => one.id === id) ?? exchange(id),
        replay({ id }) {
          replayed.push(id);
          kept = [...kept, { ...exchange(90 + replayed.length), method: 'GET' }];
          return { newId: 90 + replayed.length };
        },
        clear() {
          kept = [];
          return {};
        },
      },
    },
  });
  return { ...opened, replayed, kept: () => kept };
}

const token = exchange(2, { kind: 'token', method: 'POST', url: 'http://127.0.0.1:1/token/' });
const created = exchange(3, { method: 'POST', url: 'http://127.0.0.1:1/v2/monitors/', requestBody: '{}', status: 201 });

describe('the traffic screen', () => {
  it('says what an exchange waited for, and sends it again: a GET at once, another after asking, no token request', async () => {
    const { replayed } = openTraffic([exchange(1), token, created]);
    await page.getByRole('option', { name: /\/v2\/weather\// }).click();
    await expectShown(page.getByRole('list', { name: 'Timing' }).getByText('Wait for the first byte'));
    await button('Send again').click();
    await expect.poll(() => location.hash).toContain('#/traffic/91');
    expect(replayed).toEqual([1]);
    await page.getByRole('option', { name: /POST .*\/v2\/monitors\// }).click();
    await expectShown(page.getByRole('heading', { name: /POST .*monitors/ }));
    await button('Send again').click();
    const dialog = page.getByRole('dialog');
    await expectShown(dialog.getByText('This may change data'));
    expect(replayed).toEqual([1]);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expectGone(dialog);
    expect(replayed).toEqual([1, 3]);
    await page.getByText('Token', { exact: true }).click();
    await expectGone(page.getByRole('option', { name: /weather/ }));
    await page.getByRole('option').click();
    await expectShown(page.getByText('Token requests can’t be sent again'));
    await expectGone(button('Send again'));
  });

  it('names the service of each request, also of the open one, whichever is active', async () => {
    const beta = { connectionId: 'beta', connectionName: 'Beta' };
    const { notify, stub } = openTraffic([exchange(1), exchange(5, beta)]);
    await page.getByRole('option', { name: /location_lat=1/ }).click();
    const open = page.getByRole('region', { name: 'Request details' });
    await expectShown(open.getByText(/Sandbox ·/));
    stub({ app: { status: () => ({ ...readyStatus, connection: { ...readyStatus.connection, name: 'Beta' } }) } });
    notify({ topic: 'status' });
    await expectShown(button(/^Connection: Beta/));
    await expectShown(open.getByText(/Sandbox ·/));
    const named = [...document.querySelectorAll('[role=option] [title^="Beta: "]')].map(
      ({ textContent }) => textContent,
    );
    expect(named).toHaveLength(1);
    await page.getByRole('option', { name: /location_lat=5/ }).click();
    await expectShown(open.getByText(/Beta ·/));
  });

  it('says why there was no response, and deletes all only after asking', async () => {
    const problem = { code: 'NETWORK' as const, message: 'The connection was closed.', details: {} };
    const timing = { ...exchange(4).timing, firstByteMs: null };
    const { kept } = openTraffic([exchange(1), exchange(4, { status: null, responseBody: '', problem, timing })]);
    await page.getByRole('switch', { name: 'Failed only' }).click();
    await page.getByRole('option', { name: /\/v2\/weather\/.*none/ }).click();
    await expectShown(page.getByText('no response', { exact: true }));
    await expectShown(page.getByText('The connection was closed.').first());
    await expectShown(page.getByRole('list', { name: 'Timing' }).getByText('Wait (no response)'));
    await button('Delete all…').click();
    await button('Cancel').click();
    expect(kept()).toHaveLength(2);
    await button('Delete all…').click();
    await page.getByRole('button', { name: 'Delete all', exact: true }).click();
    await expectShown(page.getByRole('heading', { name: 'No traffic yet' }));
  });
});
