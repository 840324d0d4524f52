// Keeps the store in step with core: on every new link everything is read again, then each notice says what to read; a broken
// stream is opened again while the link lasts.
import type { Notice } from '@rainbell/contract/app-rpc';
import type { Connection } from './client.ts';
import type { ConnectionsSlice } from '../features/connections/connections-slice.ts';
import type { AppStore } from '../store/app-state.ts';
import { afterConnectionChange, repeatRefused } from './after-changes.ts';
import { showNotifications } from './browser-notifications.ts';

const reopenPauseMs = 1000;

export function syncStore(store: AppStore, connection: Pick<Connection, 'watch'>): void {
  let following: AbortController | undefined;
  connection.watch((link) => {
    store.getState().frame.setLink(link);
    following?.abort();
    if (link.state !== 'connected') return;
    following = new AbortController();
    void followNotices(store, following.signal);
    void readEverything(store);
  });
  store.subscribe(({ monitors, firstMinute }, before) => {
    if (monitors.items !== before.monitors.items) firstMinute.noteCallback();
  });
  store.subscribe(({ connections }, before) => {
    if (connections === before.connections) return;
    const former = activeConnection(before.connections);
    if (former && activeConnection(connections)?.key !== former.key) void changeOver(store, former.name);
  });
}

async function followNotices(store: AppStore, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await store.getState().frame.follow((notice) => handleNotice(store, notice), signal);
    } catch {
      // The link says why; here it only matters that the stream ended.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reopenPauseMs));
  }
}

function handleNotice(store: AppStore, notice: Notice): void {
  const { callbacks, forecast, frame, monitors, sandbox, session, settings, traffic } = store.getState();
  switch (notice.topic) {
    case 'status':
      void readStatus(store);
      return;
    case 'session':
      if (frame.screen === 'access') void session.load();
      void readStatus(store);
      return;
    case 'connections':
      void store.getState().connections.load();
      void readStatus(store);
      return;
    case 'callbacks':
      void callbacks.loadUnread();
      void callbacks.loadNew().then(() => {
        const { isWhole, loadNew } = store.getState().callbackSearch;
        if (!isWhole) void loadNew();
      });
      return;
    case 'callback-changes':
      // Also reports the current state at first.
      if (notice.version > 0) void rereadCallbacks(store);
      if (notice.version > 0) void callbacks.loadUnread();
      return;
    case 'callback-outcomes':
      if (notice.version > 0) void callbacks.readOutcomes();
      return;
    case 'held-requests':
      void store.getState().rules.loadHeld();
      return;
    case 'consents':
      void store.getState().consents.load();
      return;
    case 'callbacks-read':
      void callbacks.loadUnread();
      return;
    case 'show-callback':
      if (notice.version === 0) return;
      frame.goTo('callbacks');
      void callbacks.select(notice.id);
      return;
    case 'show-monitor':
      frame.goTo('monitors');
      monitors.select(notice.id);
      return;
    case 'notifications':
      void showNotifications(store);
      return;
    case 'monitors':
      void store.getState().monitors.load();
      return;
    case 'sandbox':
      void sandbox.load();
      // A scenario, a clock or a provider changes the weather. At the start this notice comes while the first fetch runs.
      if (forecast.forecast !== null || forecast.request.state !== 'loading') void forecast.refetch();
      return;
    case 'settings':
      void settings.load();
      return;
    case 'traffic':
      if (frame.screen === 'traffic') void traffic.loadNew();
  }
}

async function rereadCallbacks(store: AppStore): Promise<void> {
  const { callbacks, callbackSearch, callbackStrips } = store.getState();
  await callbacks.reread();
  if (callbackSearch.isWhole) void callbackStrips.loadHistogram();
  else await callbackSearch.show({});
}

/** After a service becomes ready, at start or after a crash, read what was not available before. */
async function readStatus(store: AppStore): Promise<void> {
  const wasReady = isReady(store);
  const before = receiverAddress(store);
  const tokenBefore = tokenInUse(store);
  await store.getState().frame.loadStatus();
  if (!isReady(store)) return;
  if (!wasReady) readFromService(store);
  // Other monitors call this app now, or none.
  else if (receiverAddress(store) !== before) void store.getState().monitors.load();
  const token = tokenInUse(store);
  if (token !== undefined && token !== tokenBefore) repeatRefused(store);
}

/** Identifies a token; undefined without a valid one. */
function tokenInUse(store: AppStore): string | undefined {
  const token = store.getState().frame.status?.token;
  return token?.state === 'valid' ? `${token.owner} ${token.obtainedAt}` : undefined;
}

function receiverAddress(store: AppStore): string | null | undefined {
  return store.getState().frame.status?.receiver.baseUrl;
}

/** The active connection; its key also changes when it is edited to lead to another service or application. */
function activeConnection({ items, selectedId }: ConnectionsSlice): { key: string; name: string } | undefined {
  const item = items.find(({ id }) => id === selectedId);
  if (!item) return undefined;
  const { id, kind, name, baseUrl, clientId, isPublic } = item;
  // The sandbox's URL becomes known, or changes, with each start of the service.
  return { key: kind === 'sandbox' ? id : JSON.stringify([id, baseUrl, clientId, isPublic]), name };
}

/** What is shown under the former connection's name goes at once. */
async function changeOver(store: AppStore, formerName: string): Promise<void> {
  const { bulk } = store.getState().monitors;
  store.changeConnection(formerName);
  await store.getState().frame.loadStatus();
  if (isReady(store)) readFromService(store);
  afterConnectionChange(store, formerName, bulk);
}

function isReady(store: AppStore): boolean {
  return store.getState().frame.status?.connection.state === 'ready';
}

function readFromService(store: AppStore): void {
  const { frame, sandbox, forecast, settings } = store.getState();
  void store.getState().monitors.load();
  if (frame.status?.connection.isSandbox) void sandbox.load();
  const { lat, lng } = settings.values.place;
  // Several notices at the start cause this at the same time; one request serves them all.
  const { state } = forecast.request;
  if (state === 'idle' || state === 'failed') void forecast.fetch(forecast.query ?? { lat, lng });
}

async function readEverything(store: AppStore): Promise<void> {
  const { frame, settings, callbacks } = store.getState();
  void callbacks.loadNew();
  void callbacks.loadUnread();
  void store.getState().rules.load();
  void store.getState().connections.load();
  await Promise.all([frame.loadStatus(), settings.load()]);
  if (isReady(store)) readFromService(store);
}
