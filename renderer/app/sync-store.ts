// Keeps the store in step with core: on every new link everything is read again, then each notice says what to read; a broken
// stream is opened again while the link lasts.
import type { Notice } from '#contract/app-rpc/app.ts';
import type { Connection } from './client.ts';
import type { ConnectionsSlice } from '#renderer/features/connections/connections-slice.ts';
import { boardKey } from '#renderer/features/forecast/board/board-slice.ts';
import type { Failure, Request } from '#renderer/store/request.ts';
import type { BulkRun } from '#contract/app-rpc/monitor-bulk.ts';
import type { AppStore } from '#renderer/store/app-state.ts';

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
        // The search is not loaded before the first screen has its data.
        if (!isWhole) void loadNew();
      });
      return;
    case 'callback-changes':
      // Tells the present state at first, too.
      if (notice.version > 0) void rereadCallbacks(store);
      if (notice.version > 0) void callbacks.loadUnread();
      return;
    case 'callback-outcomes':
      if (notice.version > 0) void callbacks.readOutcomes();
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
      void import('./browser-notifications.ts').then(({ showNotifications }) => showNotifications(store));
      return;
    case 'monitors':
      void monitors.load();
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

/** A service that became ready, at start or after a fall, is asked for what it could not tell before. */
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

/** Tells one token from the next; undefined without a valid one. */
function tokenInUse(store: AppStore): string | undefined {
  const token = store.getState().frame.status?.token;
  return token?.state === 'valid' ? `${token.owner} ${token.obtainedAt}` : undefined;
}

/** Repeats what failed because there was no token that the service accepts, for instance until the user signed in. */
function repeatRefused(store: AppStore): void {
  const { forecast, monitors, compare, board, settings } = store.getState();
  if (lackedToken(forecast.request)) void forecast.refetch();
  if (lackedToken(monitors.request)) void monitors.load();
  if (compare.sides && Object.values(compare.loaded).some((side) => lackedToken(side.request)))
    void compare.open(compare.sides);
  const refused = settings.values.savedPlaces.filter((place) => {
    const entry = board.entries[boardKey(place)];
    return entry !== undefined && lackedToken(entry.request);
  });
  if (refused.length > 0) void board.load(refused, true);
}

const tokenFailures: readonly Failure['code'][] = [
  'ACCESS_REFUSED',
  'INVALID_CLIENT',
  'INVALID_GRANT',
  'UNAUTHORIZED_CLIENT',
];

function lackedToken(request: Request): boolean {
  return request.state === 'failed' && tokenFailures.includes(request.failure.code);
}

function receiverAddress(store: AppStore): string | null | undefined {
  return store.getState().frame.status?.receiver.baseUrl;
}

/** The active connection; its key changes also when it is edited to lead to another service or application. */
function activeConnection({ items, selectedId }: ConnectionsSlice): { key: string; name: string } | undefined {
  const item = items.find(({ id }) => id === selectedId);
  if (!item) return undefined;
  const { id, kind, name, baseUrl, clientId, isPublic } = item;
  // The sandbox's URL becomes known, or changes, with each start of the service.
  return { key: kind === 'sandbox' ? id : JSON.stringify([id, baseUrl, clientId, isPublic]), name };
}

async function changeOver(store: AppStore, formerName: string): Promise<void> {
  const { bulk } = store.getState().monitors;
  store.changeConnection(formerName);
  if (bulk?.isRunning) store.getState().toasts.show({ tone: 'bad', message: `${formerName}: ${stoppedBulk(bulk)}` });
  await store.getState().frame.loadStatus();
  const { frame, compare } = store.getState();
  if (frame.screen === 'sandbox' && !frame.status?.connection.isSandbox) frame.goTo('forecast');
  if (!isReady(store)) return;
  readFromService(store);
  // One side or both may be of the active connection.
  if (compare.sides) void compare.open(compare.sides);
}

function stoppedBulk({ title, done, total }: BulkRun): string {
  return `“${title}” stopped after ${done} of ${total}, because another connection was chosen.`;
}

function isReady(store: AppStore): boolean {
  return store.getState().frame.status?.connection.state === 'ready';
}

function readFromService(store: AppStore): void {
  const { frame, monitors, sandbox, forecast, settings } = store.getState();
  void monitors.load();
  if (frame.status?.connection.isSandbox) void sandbox.load();
  const { lat, lng } = settings.values.place;
  // Several notices of the start lead here at once; one fetch under way serves them all.
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
