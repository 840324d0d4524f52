// The app of component tests with something on each screen: monitors, callbacks, requests, a user's token, a backup.
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { SessionState } from '#contract/app-rpc/session.ts';
import { eventOf, monitorOf } from './monitors/monitor-samples.ts';
import { expectGone, openApp, type OpenedApp, session } from './open-app.ts';
import { sampleCallback } from './sample-callback.ts';
import { sampleExchange } from './sample-traffic.ts';
import type { Stubs } from './stub-client.ts';

const at = new Date().toISOString();
const headers = [
  ['content-type', 'application/json'],
  ['user-agent', 'Rainbell/0.1'],
] satisfies [string, string][];

export const monitors = ['1048', '1049', '1050'].map((id, index) =>
  monitorOf(`precipitation_${id}`, {
    geo: { lat: 45.0703 - index, lng: 7.6869 + index },
    callbackUri: `https://callbacks.operations.example.net/hooks/precipitation/${id}`,
  }),
);

const body = '{"a":1,"place":{"lat":45.07,"lng":7.69}}';

const callbackOf = (id: number, target: string) =>
  sampleCallback({
    id,
    target,
    receivedAt: at,
    sizeBytes: body.length,
    headers,
    head: { base64: btoa('POST /hooks HTTP/1.1\r\n\r\n'), isExact: true },
    answer: { action: 'answer', status: 200, headers, body: '', delayMs: 0, rule: null, step: null },
    bodyBase64: btoa(id === 1 ? body : body.replace('1', '2')),
    checks: [{ check: 'request', verdict: 'ok', message: 'It is a POST.' }],
  });

const callbacks = [
  callbackOf(3, '/hooks/third'),
  callbackOf(2, `/hooks/long/${'path/'.repeat(30)}`),
  callbackOf(1, '/hooks/first'),
];

const exchange = sampleExchange(1, {
  method: 'POST',
  url: 'http://127.0.0.1:1/v2/monitors/',
  status: 422,
  sizeBytes: body.length,
  requestHeaders: headers,
  requestBody: body,
  responseHeaders: headers,
  responseBody: body,
});

const signedIn: SessionState = {
  ...session,
  user: {
    ...session.user,
    state: 'valid',
    grant: 'password',
    obtainedAt: at,
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
    refreshable: true,
    // The text is longer than a line beside its button.
    lastProblem: {
      code: 'INVALID_CLIENT',
      message: `127.0.0.1:8533 refused the client ID or client secret. ${'Check both in the connection. '.repeat(4)}`,
      details: { trafficId: 1 },
    },
  },
};

export function openFilledApp(hash = '', more: Stubs = {}): OpenedApp {
  const stubs: Stubs = {
    monitors: {
      list: () => ({ monitors, problems: [], fetchedAt: at }),
      explain: () => ({ explanation: null }),
      events: () => ({ objects: [eventOf(1)], meta: { next: null } }),
    },
    callbacks: {
      list: () => ({ items: callbacks, total: 3, newestId: 3 }),
      search: () => ({ items: callbacks, nextBeforeId: null, scanned: 3, problems: [] }),
      count: () => ({ count: 3 }),
      markRead: () => ({ count: 0, isMore: false, throughId: 3 }),
      histogram: () => ({
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: at,
        barSeconds: 60,
        bars: [{ at, counts: [{ verdict: 'request', count: 3 }] }],
        facets: [{ verdict: 'request', count: 3 }],
        unvalidated: 0,
      }),
      get: ({ id }) => callbacks.find((one) => one.id === id) ?? callbackOf(id, '/'),
      proof: () => ({ fileName: 'callback-1.html', html: '<p>', redactions: ['Secret parameters are masked.'] }),
    },
    traffic: {
      list: () => ({ items: [exchange], total: 1, newestId: 1 }),
      get: () => exchange,
    },
    session: {
      state: () => signedIn,
      reveal: () => ({ token: 'access-1', jwt: null }),
      signIn: () => new Promise(() => {}),
    },
    data: {
      describe: () => ({
        folder: '/data',
        parts: [{ name: 'app.sqlite', bytes: 4096 }],
        stored: [
          { kind: 'callbacks', count: 3 },
          { kind: 'traffic', count: 1 },
        ],
        backups: [{ name: 'backup-1', createdAt: at, bytes: 4096, hasBodies: true }],
        pendingRestore: null,
      }),
    },
    diagnostics: {
      preview: () => ({
        files: [{ name: 'log.txt', description: 'What the app wrote to its log.', sizeBytes: 3, text: 'log' }],
      }),
    },
  };
  const opened = openApp({ hash, stubs });
  opened.stub(more);
  return opened;
}

export async function goTo(screen: string): Promise<void> {
  location.hash = `#/${screen}`;
  await expect.poll(() => document.querySelector('h1')?.textContent.trim().toLowerCase()).toContain(screen);
}

/** A loading message covers elements that axe would check. */
export async function settle(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await expectGone(page.getByText('Loading the map…'));
}
