// The screens' one store: the slices of the features and of `store/`, over the injected client. Nothing here is module state; a
// test makes as many stores as it likes.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppClient } from '@rainbell/contract/app-rpc';
import type { AppState, AppStore, Feature, OtherSlices } from '../store/app-state.ts';
import { createCommandsSlice } from '../store/commands-slice.ts';
import { createFrameSlice } from '../store/frame-slice.ts';
import { createPlacesSlice } from '../store/places-slice.ts';
import { createSettingsSlice } from '../store/settings-slice.ts';
import { ConnectionChanged, runCancelableRequest, runRequest } from '../store/request.ts';
import type { CreateSlice, Slice, SlicesOf, SliceTools } from '../store/slice.ts';
import { createToastsSlice, type NewToast, ofFormer } from '../store/toasts-slice.ts';
import { frameCommands } from '@rainbell/shared';

import * as featuresByName from './features.ts';
// Keeps what the features add to `AppState` in the declarations of this file.
import './features.ts';

export const features: readonly Feature[] = Object.values(featuresByName);

const common = {
  commands: createCommandsSlice,
  frame: createFrameSlice,
  settings: createSettingsSlice,
  places: createPlacesSlice,
  toasts: createToastsSlice,
};
declare module '../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof common> {}
}

type Key = keyof AppState;

export function createAppStore(client: AppClient): AppStore {
  const zustand = createStore<AppState>()(() => ({}) as AppState);
  const creators = Object.entries<CreateSlice>(Object.assign({}, common, ...features.map(({ slices }) => slices)));
  const slices = new Map(
    creators.map(([key, create]) => [key, { create, live: liveSlice(key as Key, create, zustand, client) }]),
  );
  zustand.setState(Object.fromEntries([...slices].map(([key, { live }]) => [key, live.first])));
  const store: AppStore = {
    ...zustand,
    features,
    changeConnection(formerName) {
      const fresh: Record<string, object> = {};
      for (const [key, { create, live }] of slices) {
        if (live.does === 'keep') continue;
        const preserved = live.end(formerName);
        const next = liveSlice(key as Key, create, zustand, client);
        slices.set(key, { create, live: next });
        fresh[key] = { ...next.first, ...preserved };
      }
      const { frame, toasts } = zustand.getState();
      zustand.setState({ ...fresh, frame: { ...frame, connectionChanges: frame.connectionChanges + 1 } });
      toasts.nameFormer(formerName);
    },
  };
  offerCommands(store);
  return store;
}

type Create = (tools: SliceTools<object>, others: OtherSlices) => Slice<object>;

function liveSlice(key: Key, create: CreateSlice, store: StoreApi<AppState>, client: AppClient) {
  let over: { state: object; connectionName: string } | undefined;
  const tools: SliceTools<object> = {
    client: boundClient(client, () => over !== undefined),
    read: () => over?.state ?? store.getState()[key],
    change(part) {
      if (over) over.state = { ...over.state, ...part };
      else store.setState((state) => ({ [key]: { ...state[key], ...part } }));
    },
    run: (name: string, call) => runRequest((request) => tools.change({ [name]: request }), call),
    succeeds: async (name, call) => (await tools.run(name, async () => ({ result: await call() }))) !== undefined,
    runCancelable: (name: string, call, options) =>
      runCancelableRequest((request) => tools.change({ [name]: request }), call, options),
  };
  const show = (toast: NewToast): number => {
    const isOfConnection = policy.does === 'reset';
    return store.getState().toasts.show(over ? ofFormer(toast, over.connectionName) : { ...toast, isOfConnection });
  };
  const first = (create as Create)(tools, { get: store.getState, show });
  const policy = first.onConnectionChange;
  return {
    first,
    does: policy.does,
    /** Cuts it off, so that nothing it still does reaches the store or a service. Returns the members that outlive it. */
    end(connectionName: string): object {
      const state: object = store.getState()[key];
      over = { state, connectionName };
      const keeping: readonly string[] = policy.does === 'reset' ? policy.keeping : [];
      return Object.fromEntries(Object.entries(state).filter(([name]) => keeping.includes(name)));
    },
  };
}

type Procedure = (...input: unknown[]) => unknown;

/**
 * The same client; after `isOver` its procedures reject instead of sending: a write that was meant for a monitor of the former service
 * must not reach the monitor with the same ID at the new one.
 */
function boundClient(client: AppClient, isOver: () => boolean): AppClient {
  return withProperties(client, (group) =>
    withProperties(group as object, (procedure) => (...input: unknown[]) => {
      if (isOver()) return Promise.reject(new ConnectionChanged());
      return (procedure as Procedure)(...input);
    }),
  );
}

function withProperties<Target extends object>(target: Target, replace: (value: unknown) => unknown): Target {
  return new Proxy(target, { get: (from, name) => replace(Reflect.get(from, name)) });
}

/** Offers the commands of the features, and one per screen, for as long as the window is open. */
function offerCommands(store: AppStore): void {
  const keysOf: Readonly<Record<string, { keys: readonly string[] }>> = frameCommands;
  const { commands: offered, frame } = store.getState();
  for (const { screen, commands } of store.features) {
    const go = screen && { [`go.${screen.name}`]: () => frame.goTo(screen.name) };
    const actions = Object.entries<() => unknown>({ ...go, ...commands?.(store) });
    offered.offer(
      new Map(actions.map(([id, action]) => [id, { keys: keysOf[id]?.keys ?? [], run: () => void action() }])),
    );
  }
}
