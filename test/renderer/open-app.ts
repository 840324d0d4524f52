// Component tests: the screens in the test's own page, over a stub of the app client instead of core and a service. What a test
// does not prepare is an app without callbacks and monitors, whose service is ready and has a forecast.
import { expect, onTestFinished } from 'vitest';
import { type Locator, page as tab } from 'vitest/browser';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import type { SavedConnection } from '#contract/app-rpc/connections.ts';
import { type SessionState, signInMethods } from '#contract/app-rpc/session.ts';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import type { Place } from '#contract/app-rpc/places.ts';
import { type Settings, settingsSchema } from '#contract/app-rpc/settings.ts';
import { readForecast } from '#core/forecast/read-forecast.ts';
import { parseCoordinates } from '#core/places/parse-coordinates.ts';
import { jsonBounds, readJsonText } from '#core/http/read-json.ts';
import { createAppStore } from '#renderer/app/app-store.ts';
import { syncAddress } from '#renderer/app/sync-address.ts';
import { syncStore } from '#renderer/app/sync-store.ts';
import type { AppStore } from '#renderer/store/app-state.ts';
import { showApp } from '#renderer/show-app.tsx';
import { listenForKeys } from '#renderer/store/listen-for-keys.ts';
import { createStubClient, type StubClient, type Stubs } from './stub-client.ts';
import { type BodyOptions, weatherBody } from './weather-bodies.ts';

const serviceUrl = 'http://127.0.0.1:1';
const startedAt = new Date().toISOString();
export const readyStatus: AppStatus = {
  version: '0.0.0',
  versions: {},
  host: 'headless',
  secretsProtection: 'Secrets are in memory.',
  connection: { name: 'Sandbox', baseUrl: serviceUrl, state: 'ready', problem: null, isSandbox: false },
  token: {
    state: 'valid',
    owner: 'application',
    grant: 'client_credentials',
    obtainedAt: startedAt,
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
    scope: null,
    requestedScope: null,
    refreshable: true,
    lastProblem: null,
    deviations: [],
  },
  receiver: { state: 'listening', baseUrl: 'http://127.0.0.1:4545', notice: null },
  feed: { state: 'off', problem: null, hasGap: false },
  exposure: { tls: false, lan: false },
  callbackCount: 0,
  newestCallbackId: 0,
  notices: [],
  update: { state: 'unchecked' },
  desktop: null,
  damage: [],
  canRestart: false,
};

export const sandboxStatus: AppStatus = {
  ...readyStatus,
  connection: { ...readyStatus.connection, isSandbox: true },
};

export const sandbox: SavedConnection = {
  id: 'sandbox',
  kind: 'sandbox',
  name: 'Sandbox',
  color: 'gray',
  baseUrl: serviceUrl,
  authUrl: serviceUrl,
  clientId: 'client1',
  isPublic: false,
  hasSecret: true,
  redirectUri: 'http://127.0.0.1:8490/callback',
  scope: '',
  caPem: null,
  proxyUrl: null,
};

const noToken = {
  state: 'none',
  grant: null,
  scope: null,
  requestedScope: null,
  obtainedAt: null,
  expiresAt: null,
  refreshable: false,
  lastProblem: null,
  deviations: [],
} as const;

export const session: SessionState = {
  connectionId: sandbox.id,
  connectionName: sandbox.name,
  application: { owner: 'application', ...noToken, deviations: [] },
  user: { owner: 'user', ...noToken, deviations: [] },
  tokenInUse: 'application',
  ways: signInMethods.map((way) => ({ way, unavailableReason: null })),
  windows: ['browser'],
  browserSession: null,
  open: null,
  flows: [],
};

export type OpenedApp = Pick<StubClient, 'stub' | 'notify'> & {
  store: AppStore;
  /** The window's link to the app breaks. */
  loseLine: () => void;
};

let close = () => {};

/** Shows the app at a link such as `#/monitors`, until the test ends or opens it again, as a reload of the page would. */
export function openApp({
  hash = '',
  settings: changed = {},
  stubs = {},
}: { hash?: string; settings?: Partial<Settings>; stubs?: Stubs } = {}): OpenedApp {
  close();
  let settings = settingsSchema.parse(changed);
  const { client, stub, notify } = createStubClient(
    {
      app: {
        status: () => readyStatus,
        receiverAccess: () => ({ port: 4545, tls: false, lan: false, lanUrls: [], authority: null }),
      },
      settings: {
        update(changes) {
          settings = settingsSchema.parse({ ...settings, ...changes });
          return {};
        },
      },
      connections: { list: () => ({ connections: [sandbox], selectedId: sandbox.id }) },
      session: { state: () => session },
      traffic: { list: () => ({ items: [], total: 0, newestId: 0 }) },
      data: { describe: () => ({ folder: '/data', parts: [], stored: [], backups: [], pendingRestore: null }) },
      callbacks: {
        list: () => ({ items: [], total: 0, newestId: 0 }),
        unread: () => ({ count: 0, isMore: false, throughId: 0 }),
        search: () => ({ items: [], nextBeforeId: null, scanned: 0, problems: [] }),
        count: () => ({ count: 0 }),
        hours: () => ({ callbacks: [] }),
        histogram: () => ({ from: startedAt, to: startedAt, barSeconds: 1, bars: [], facets: [], unvalidated: 0 }),
        filters: () => ({ filters: [] }),
        endpoints: () => ({ endpoints: [], senders: [] }),
        webhookSecret: () => ({ source: 'none' }),
      },
      sends: { forwardTargets: () => ({ targets: [] }) },
      handler: { state: () => ({ session: null }) },
      places: {
        search: ({ text }) => placesAt(text),
        nearest: ({ locations }) => locations.map(() => null),
        within: () => [],
      },
      sandbox: {
        state: () => ({
          clock: { now: startedAt, aheadSeconds: 0 },
          provider: { choice: 'simulation', lastAnswered: null, lastErrors: [] },
          cache: { hits: 0, misses: 0, cells: 0 },
          scenarios: [],
          weatherFault: null,
        }),
      },
      rules: { get: () => ({ pause: 'off', rules: [] }), held: () => ({ held: [] }) },
      agents: { consents: () => ({ consents: [] }) },
      monitors: {
        list: () => ({ monitors: [], problems: [], fetchedAt: new Date().toISOString() }),
        deliveryStates: () => ({ isAvailable: false }),
        events: () => ({ objects: [], meta: { next: null } }),
        views: () => ({ views: [] }),
      },
      monitorBulk: { state: () => ({ run: null }) },
      monitorFronts: { list: () => ({ isAvailable: false, fronts: [], missingBefore: null, silences: [] }) },
      forecast: {
        get: () => forecastOf(),
        history: () => ({ fetches: [] }),
        icon: () => ({ state: 'loaded', dataUrl: icon }),
      },
    },
    () => [{ topic: 'settings', values: settings }],
  );
  stub(stubs);
  const element = document.createElement('div');
  element.id = 'root';
  document.body.append(element);
  document.body.spellcheck = false;
  history.replaceState(null, '', hash || location.pathname + location.search);
  const ended = new AbortController();
  const page = endingWith(ended.signal);
  const store = createAppStore(client);
  listenForKeys(store, page);
  syncAddress(store, page);
  let setLink: Parameters<Parameters<typeof syncStore>[1]['watch']>[0] = () => {};
  syncStore(store, {
    watch(onState) {
      setLink = onState;
      onState({ state: 'connected' });
    },
  });
  const remove = showApp(element, store, { onReconnect: () => {}, styleNonce: '' });
  close = () => {
    close = () => {};
    remove();
    element.remove();
    ended.abort();
    setLink({ state: 'failed', message: 'The test is over.' });
  };
  onTestFinished(async () => {
    close();
    await tab.viewport(1280, 900);
    localStorage.clear();
    history.replaceState(null, '', location.pathname + location.search);
  });
  return { stub, notify, store, loseLine: () => setLink({ state: 'lost', retryAt: Date.now() + 10_000 }) };
}

export async function expectShown(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
}

export async function expectGone(locator: Locator): Promise<void> {
  await expect.element(locator).not.toBeInTheDocument();
}

/** Coordinates are a place of themselves; there are no others. */
function placesAt(text: string): Place[] {
  const place = parseCoordinates(text);
  return place ? [{ ...place, name: `${place.lat}, ${place.lng}`, countryCode: null, population: null }] : [];
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#fa0"/></svg>',
)}`;

/** As core reads the body of a weather response. */
export function forecastOf(options: Partial<BodyOptions> = {}): Forecast {
  const query = options.place ?? { lat: defaultSettings.place.lat, lng: defaultSettings.place.lng };
  const now = options.now ?? Date.now();
  const bodyText = JSON.stringify(weatherBody({ now, iconBase: serviceUrl, ...options }));
  const reading = readJsonText(bodyText, jsonBounds(1000));
  if (!reading.ok) throw new Error('The weather is too large.');
  return {
    query,
    timeZone: 'Europe/Rome',
    connectionName: 'Sandbox',
    fetchedAt: new Date(now).toISOString(),
    tookMs: 12,
    request: { method: 'GET', url: `${serviceUrl}/v2/weather/`, headers: [] },
    response: { status: 200, headers: [], bodyText, sizeBytes: bodyText.length },
    ...readForecast(reading, query),
  };
}

/** The window, whose listeners and history end with `signal`: a page has many tests, and an address is written a while later. */
function endingWith(signal: AbortSignal): Window {
  const writer = (name: 'pushState' | 'replaceState') => (state: unknown, title: string, url: string) => {
    if (!signal.aborted) history[name](state, title, url);
  };
  const written = {
    get state(): unknown {
      return history.state;
    },
    pushState: writer('pushState'),
    replaceState: writer('replaceState'),
  };
  return new Proxy(window, {
    get(target, name) {
      if (name === 'history') return written;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'addEventListener') return value.bind(target) as unknown;
      return (type: string, listen: EventListener, options: AddEventListenerOptions = {}) =>
        target.addEventListener(type, listen, { ...options, signal });
    },
  });
}
