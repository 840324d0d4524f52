// Another connection is chosen: nothing of the former one's service stays in the store or on the screen, what it still answers
// is dropped, and nothing meant for it reaches the new one. The core and both services are real, over HTTP.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { createAppStore } from '#renderer/app/app-store.ts';
import type { AppState, AppStore } from '#renderer/store/app-state.ts';
import { syncStore } from '#renderer/app/sync-store.ts';
import type { Slice } from '#renderer/store/slice.ts';
import { startCore } from '#test/core/core-harness.ts';
import { startFakeService, type FakeService, type Route } from '#test/core/fake-service.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

const place = { name: 'Torino', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null };

/** A service whose every response has its name in it, and whose monitors have the same IDs as those of any other. */
function routesOf(name: string): Record<string, Route> {
  const monitor = (id: number) => ({
    id: `precipitation_${id}`,
    monitor_type: 'precipitation',
    callback_uri: `https://${name}.example/rain`,
    geo: { type: 'Point', coordinates: [7.7, 45.1] },
  });
  return {
    'GET /v2/weather/': () => ({
      body: weatherBody({
        now: Date.now(),
        change: (point) => ({ ...point, location: { locality: name, country: 'Italy' } }),
      }),
    }),
    'GET /v2/monitors/': () => ({ body: { objects: [monitor(1), monitor(2)], meta: {} } }),
    'GET /v2/delivery/': () => {
      const facts = { failed_in_a_row: 3, is_on: false, off_reason: `${name} is dead` };
      return { body: { objects: [deliveryOf('precipitation_1', facts)], meta: {} } };
    },
    'PATCH /v2/monitors/precipitation_1/': () => ({ status: 202, headers: { 'content-type': 'text/html' } }),
    'DELETE /v2/monitors/precipitation_2/': () => ({ status: 204 }),
    'GET /sandbox/state': () => ({ status: 404 }),
    'GET /sandbox/webhook-secrets': () => ({ status: 404 }),
    'PUT /sandbox/callback-authority': () => ({ status: 404 }),
  };
}

type Ready = {
  store: AppStore;
  alpha: FakeService;
  beta: FakeService;
  select: (id: string) => Promise<void>;
  betaId: string;
};

/** The store beside a core whose sandbox is `alpha`; `beta` is a saved connection. */
async function storeBetween(): Promise<Ready> {
  const [alpha, beta] = [await startFakeService(routesOf('alpha')), await startFakeService(routesOf('beta'))];
  const { client } = await startCore({ sandbox: alpha.introduction });
  const { id: betaId } = await client.connections.create({
    ...fieldsFor(beta.introduction, { name: 'Beta', color: 'red' }),
    clientSecret: 'secret2',
  });
  const store = createAppStore(client);
  let unlink = () => {};
  syncStore(store, {
    watch(tell) {
      tell({ state: 'connected' });
      unlink = () => tell({ state: 'failed', message: 'The test is over.' });
    },
  });
  onTestFinished(() => unlink());
  await where(store, ({ connections }) => connections.selectedId === 'sandbox');
  await where(store, ({ monitors }) => monitors.items.length > 0 && monitors.facts !== null);
  await where(store, ({ forecast }) => forecast.forecast !== null);
  const select = async (id: string) => {
    await store.getState().connections.select(id);
    await where(store, ({ frame }) => frame.status?.connection.name === (id === betaId ? 'Beta' : 'Sandbox'));
  };
  return { store, alpha, beta, betaId, select };
}

/** Resolves as soon as the state fits. */
function where(store: AppStore, fits: (state: AppState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (fits(store.getState())) return resolve();
    const stop = store.subscribe((state) => {
      if (!fits(state)) return;
      stop();
      resolve();
    });
  });
}

/** Slices that hold the word; those that name the connection beside each of their rows are left out. */
function slicesWith(store: AppStore, word: string): string[] {
  const { traffic: _traffic, connections: _connections, ...others } = store.getState();
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, part: unknown) =>
      part instanceof Map || part instanceof Set ? [...(part as Iterable<unknown>)] : part,
    );
  return Object.entries(others)
    .filter(([, slice]) => text(slice).includes(word))
    .map(([name]) => name);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The test expects a value here.');
  return value;
}

/** A route that waits for `release`. */
function held(route: Route): { route: Route; asked: Promise<void>; release: () => void } {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const waiting: Route = async (...request) => {
    asked.resolve();
    await gate.promise;
    return route(...request);
  };
  return { route: waiting, asked: asked.promise, release: () => gate.resolve() };
}

describe('the store', () => {
  it('holds nothing of the former service, even while the new one is silent', async () => {
    const { store, beta, betaId, select } = await storeBetween();
    const { board, monitors, session, compare, callbackService } = store.getState();
    await Promise.all([board.load([place]), session.load(), callbackService.loadKeys()]);
    monitors.select('precipitation_1');
    monitors.openDialog({ kind: 'rain', monitor: required(monitors.items[0]) });
    await compare.openFetches(place);
    expect(slicesWith(store, 'alpha')).toEqual(expect.arrayContaining(['forecast', 'board', 'monitors']));
    const silence = held(() => ({ status: 503 }));
    for (const route of ['GET /v2/weather/', 'GET /v2/monitors/', 'GET /v2/delivery/'])
      beta.routes[route] = silence.route;
    await select(betaId);
    const shownSides = () => Object.values(store.getState().compare.loaded);
    await where(store, () => shownSides().length === 2 && shownSides().every(({ forecast }) => forecast !== null));
    // What was fetched before and is kept for comparing names its connection.
    expect(slicesWith(store, 'alpha')).toEqual([]);
    expect(shownSides()).toMatchObject([
      { forecast: { connectionName: 'Sandbox' } },
      { forecast: { connectionName: 'Sandbox' } },
    ]);
    silence.release();
  });

  it('drops what the former service answers after the change', async () => {
    const { store, alpha, betaId, select } = await storeBetween();
    const late = ['GET /v2/weather/', 'GET /v2/monitors/'].map((key) => {
      const { route, asked, release } = held(required(alpha.routes[key]));
      alpha.routes[key] = route;
      return { asked, release };
    });
    const { board, forecast, monitors } = store.getState();
    const requests = [forecast.refetch(), board.load([place], true), monitors.load()];
    await Promise.all(late.map(({ asked }) => asked));
    await select(betaId);
    await where(store, ({ forecast: { forecast: shown } }) => shown?.connectionName === 'Beta');
    await where(store, ({ monitors: { items } }) => items.length > 0);
    for (const { release } of late) release();
    await Promise.all(requests);
    expect(slicesWith(store, 'alpha').filter((name) => name !== 'toasts')).toEqual([]);
    expect(store.getState().board.entries).toEqual({});
  });

  it('sends nothing to the new service that was meant for the former one', async () => {
    const { store, alpha, beta, betaId, select } = await storeBetween();
    const { monitors } = store.getState();
    const { route, asked, release } = held(required(alpha.routes['PATCH /v2/monitors/precipitation_1/']));
    alpha.routes['PATCH /v2/monitors/precipitation_1/'] = route;
    const [one, two] = monitors.items;
    const callback = { kind: 'address', uri: 'https://new.example/rain' } as const;
    const task = { kind: 'callback', id: required(one).id, callback } as const;
    const writing = monitors.runBulk('Set the callback URL for 1 monitor', [task]);
    await asked;
    await select(betaId);
    release();
    await writing;
    await monitors.deleteLater([two?.id ?? '']);
    await monitors.pause(required(one).id);
    await where(store, ({ monitors: { items } }) => items.some(({ callbackUri }) => callbackUri?.includes('beta')));
    expect(store.getState().monitors.items.map(({ deletion }) => deletion)).toEqual([null, null]);
    expect(beta.seen.filter(({ method }) => method !== 'GET').map(({ url }) => url)).toEqual(['/token/']);
    expect(store.getState().toasts.items.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'Sandbox: “Set the callback URL for 1 monitor” stopped after 0 of 1 because the active connection changed.',
        'Sandbox: Couldn’t pause precipitation_1: Not sent because the active connection changed in the meantime.',
      ]),
    );
  });

  it('names the former connection in its messages, and takes their actions away', async () => {
    const { store, betaId, select } = await storeBetween();
    await store.getState().monitors.deleteLater(['precipitation_2']);
    const undo = () => store.getState().toasts.items.find(({ message }) => message.includes('Deleting'));
    expect(undo()).toMatchObject({ message: 'Deleting precipitation_2', action: { label: 'Undo' } });
    await select(betaId);
    expect(undo()).toMatchObject({ message: 'Sandbox: Deleting precipitation_2' });
    expect(undo()?.action).toBeUndefined();
  });

  it('starts over when the active connection is edited to lead to another service', async () => {
    const { store, alpha, beta, betaId, select } = await storeBetween();
    await select(betaId);
    await where(store, ({ monitors: { items } }) => items.some(({ callbackUri }) => callbackUri?.includes('beta')));
    beta.routes['GET /v2/weather/'] = held(() => ({ status: 503 })).route;
    await store.getState().connections.update(betaId, fieldsFor(alpha.introduction), undefined);
    await where(store, ({ monitors: { items } }) => items.some(({ callbackUri }) => callbackUri?.includes('alpha')));
    expect(slicesWith(store, 'beta').filter((name) => name !== 'toasts')).toEqual([]);
  });

  it('keeps only what its slices have', () => {
    const state: object = createAppStore({} as AppClient).getState();
    const kept = Object.entries<Slice<Record<string, unknown>>>({ ...state }).flatMap(
      ([name, { onConnectionChange, ...slice }]) =>
        onConnectionChange.does === 'reset'
          ? onConnectionChange.keeping.map((part) => [name, part, part in slice])
          : [],
    );
    expect(kept).toContainEqual(['forecast', 'query', true]);
    expect(kept.filter(([, , isThere]) => !isThere)).toEqual([]);
  });
});
