// Component tests: the screens in the test's own page, over a stub of the app client instead of core and a service. What a test
// does not prepare is an app without callbacks and monitors, whose service is ready and has a forecast.
import { expect, onTestFinished } from 'vitest';
import type { Locator } from 'vitest/browser';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { type Settings, settingsSchema } from '#contract/app-rpc/settings.ts';
import { readForecast } from '#core/forecast/read-forecast.ts';
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
    obtainedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 7_200_000).toISOString(),
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
  const { client, stub, notify } = createStubClient({
    app: { status: () => readyStatus },
    settings: {
      get: () => settings,
      update: (changes) => (settings = settingsSchema.parse({ ...settings, ...changes })),
    },
    connections: { list: () => ({ connections: [], selectedId: 'sandbox' }) },
    callbacks: {
      list: () => ({ items: [], total: 0, newestId: 0 }),
      unread: () => ({ count: 0, isMore: false, throughId: 0, ids: [] }),
    },
    rules: { get: () => ({ pause: 'off', rules: [] }), held: () => ({ held: [] }) },
    agents: { consents: () => ({ consents: [] }) },
    monitors: {
      list: () => ({ monitors: [], problems: [], fetchedAt: new Date().toISOString() }),
      deliveryStates: () => ({ isAvailable: false }),
      views: () => ({ views: [] }),
    },
    monitorBulk: { state: () => ({ run: null }) },
    monitorFronts: { list: () => ({ fronts: [], silences: [] }) },
    forecast: {
      get: () => forecastOf(),
      history: () => ({ fetches: [] }),
      series: () => ({ fetches: [] }),
      icon: () => ({ state: 'loaded', dataUrl: icon }),
    },
  });
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
  onTestFinished(() => {
    close();
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

/** The window, whose listeners end with `signal`: a page has many tests. */
function endingWith(signal: AbortSignal): Window {
  return new Proxy(window, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'addEventListener') return value.bind(target) as unknown;
      return (type: string, listen: EventListener, options: AddEventListenerOptions = {}) =>
        target.addEventListener(type, listen, { ...options, signal });
    },
  });
}
