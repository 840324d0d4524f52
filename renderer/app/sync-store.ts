// Keeps the store in step with core: on every new link everything is read again, then each notice says what to read; a broken
// stream is opened again while the link lasts.
import type { Notice, SavedConnection } from '@rainbell/contract/app-rpc';
import type { Connection } from './connect.ts';
import { selectActiveConnection } from '../features/connections/selectors.ts';
import type { AppState, AppStore } from '../store/app-state.ts';
import type { Failure, Request } from '../store/request.ts';

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
  store.subscribe((state, before) => {
    for (const { afterChange } of store.features) afterChange?.(state, before);
    const former = selectActiveConnection(before);
    const active = selectActiveConnection(state);
    if (former && active !== former && (!active || keyOf(active) !== keyOf(former)))
      void changeOver(store, { name: former.name, state: before });
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

type Handler = (store: AppStore, notice: Notice) => void;

function handleNotice(store: AppStore, notice: Notice): void {
  for (const { notices } of store.features) (notices?.[notice.topic] as Handler | undefined)?.(store, notice);
  if (['status', 'session', 'connections'].includes(notice.topic)) void readStatus(store);
}

/** After a service becomes ready, at start or after a crash, read what was not available before. */
async function readStatus(store: AppStore): Promise<void> {
  const wasReady = isReady(store);
  const tokenBefore = tokenInUse(store);
  await store.getState().frame.loadStatus();
  if (!isReady(store)) return;
  if (!wasReady) readFromService(store);
  const token = tokenInUse(store);
  if (token !== undefined && token !== tokenBefore) repeatRefused(store);
}

/** Identifies a token; undefined without a valid one. */
function tokenInUse(store: AppStore): string | undefined {
  const token = store.getState().frame.status?.token;
  return token?.state === 'valid' ? `${token.owner} ${token.obtainedAt}` : undefined;
}

/** Also changes when the connection is edited to lead to another service or application. */
function keyOf({ id, kind, baseUrl, clientId, isPublic }: SavedConnection): string {
  // The sandbox's URL becomes known, or changes, with each start of the service.
  return kind === 'sandbox' ? id : JSON.stringify([id, baseUrl, clientId, isPublic]);
}

/** What is shown under the former connection's name goes at once. */
async function changeOver(store: AppStore, former: { name: string; state: AppState }): Promise<void> {
  store.changeConnection(former.name);
  await store.getState().frame.loadStatus();
  if (isReady(store)) readFromService(store);
  for (const { afterConnectionChange } of store.features) afterConnectionChange?.(store, former);
}

function isReady(store: AppStore): boolean {
  return store.getState().frame.status?.connection.state === 'ready';
}

function readFromService(store: AppStore): void {
  for (const feature of store.features) feature.readFromService?.(store.getState());
}

async function readEverything(store: AppStore): Promise<void> {
  const { frame, settings } = store.getState();
  for (const { readFromApp } of store.features) readFromApp?.(store.getState());
  await Promise.all([frame.loadStatus(), settings.whenKnown]);
  if (isReady(store)) readFromService(store);
}

/**
 * Repeats what failed because there was no token that the service accepts, for instance until the user signed in. What failed
 * after the token was obtained was refused with it: each repetition would get one more token, without end. Both times are by the
 * host's clock, because the browser's may be hours off.
 */
function repeatRefused(store: AppStore): void {
  const token = store.getState().frame.status?.token;
  const obtainedAt = token?.state === 'valid' ? Date.parse(token.obtainedAt ?? '') : 0;
  const isRefused = (request: Request) => request.state === 'failed' && failedAt(request.failure) < obtainedAt;
  for (const feature of store.features) feature.repeatRefused?.(store.getState(), isRefused);
}

/** Infinity if the failure was not of a token: only those have `at`. */
function failedAt({ details }: Failure): number {
  return details.at === undefined ? Infinity : Date.parse(details.at);
}
