// The screens' one store: a slice per feature over the injected client. Nothing here is module state; a test makes as many
// stores as it likes.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppClient } from '@rainbell/contract/app-rpc';
import { type ConsentsSlice, createConsentsSlice } from '../features/agents/consents-slice.ts';
import { createSessionSlice, type SessionSlice } from '../features/access/session-slice.ts';
import { createCallbacksSlice, type CallbacksSlice } from '../features/callbacks/common/callbacks-slice.ts';
import { type CallbackCompareSlice, createCallbackCompareSlice } from '../features/callbacks/list/compare-slice.ts';
import {
  type CallbackEndpointsSlice,
  createCallbackEndpointsSlice,
} from '../features/callbacks/receiver/endpoints-slice.ts';
import { type CallbackFilesSlice, createCallbackFilesSlice } from '../features/callbacks/list/files-slice.ts';
import {
  type CallbackSelectionSlice,
  createCallbackSelectionSlice,
} from '../features/callbacks/list/selection-slice.ts';
import {
  createDeliveryMatchSlice,
  type DeliveryMatchSlice,
} from '../features/callbacks/detail/delivery-match-slice.ts';
import { createEndpointCheckSlice, type EndpointCheckSlice } from '../features/callbacks/check/endpoint-check-slice.ts';
import {
  createSignatureDiagnosisSlice,
  type SignatureDiagnosisSlice,
} from '../features/callbacks/detail/signature-diagnosis-slice.ts';
import { createReceiverSlice, type ReceiverSlice } from '../features/callbacks/receiver/receiver-slice.ts';
import { type CallbackSearchSlice, createCallbackSearchSlice } from '../features/callbacks/search/search-slice.ts';
import { type CallbackSendsSlice, createCallbackSendsSlice } from '../features/callbacks/send/sends-slice.ts';
import { type CallbackStripsSlice, createCallbackStripsSlice } from '../features/callbacks/common/strips-slice.ts';
import {
  createWebhookSecretSlice,
  type WebhookSecretSlice,
} from '../features/callbacks/receiver/webhook-secret-slice.ts';
import { type ConnectionsSlice, createConnectionsSlice } from '../features/connections/connections-slice.ts';
import { createTransferSlice, type TransferSlice } from '../features/connections/transfer-slice.ts';
import { type BoardSlice, createBoardSlice } from '../features/forecast/board/board-slice.ts';
import { type CompareSlice, createCompareSlice } from '../features/forecast/compare/compare-slice.ts';
import { createRadarSlice, type RadarSlice } from '../features/forecast/radar/radar-slice.ts';
import { createIconsSlice, type IconsSlice } from '../features/forecast/common/icons-slice.ts';
import { createFirstMinuteSlice, type FirstMinuteSlice } from '../features/first-minute/first-minute-slice.ts';
import { createForecastSlice, type ForecastSlice } from '../features/forecast/common/forecast-slice.ts';
import { createFrameSlice, type FrameSlice } from '../features/frame/frame-slice.ts';
import { createMonitorsSlice, type MonitorsSlice } from '../features/monitors/common/monitors-slice.ts';
import { createSandboxSlice, type SandboxSlice } from '../features/sandbox/sandbox-slice.ts';
import { createDataSlice, type DataSlice } from '../features/settings/data-slice.ts';
import { createDiagnosticsSlice, type DiagnosticsSlice } from '../features/settings/diagnostics-slice.ts';
import { createNotificationsSlice, type NotificationsSlice } from '../features/settings/notifications-slice.ts';
import { createSettingsSlice, type SettingsSlice } from '../features/settings/settings-slice.ts';
import { createHelpSlice, type HelpSlice } from '../features/help/help-slice.ts';
import { createRulesSlice, type RulesSlice } from '../features/rules/rules-slice.ts';
import { createTrafficSlice, type TrafficSlice } from '../features/traffic/traffic-slice.ts';
import { type CommandsSlice, createCommandsSlice } from '../store/commands-slice.ts';
import { createPlacesSlice, type PlacesSlice } from '../store/places-slice.ts';
import { boundClient } from './bound-client.ts';
import type { AppState, AppStore, OtherSlices } from '../store/app-state.ts';
import type { Slice, SliceTools } from '../store/slice.ts';
import { createToastsSlice, type NewToast, ofFormer, type ToastsSlice } from '../store/toasts-slice.ts';

type Slices = {
  commands: CommandsSlice;
  frame: FrameSlice;
  settings: SettingsSlice;
  data: DataSlice;
  diagnostics: DiagnosticsSlice;
  notifications: NotificationsSlice;
  places: PlacesSlice;
  forecast: ForecastSlice;
  board: BoardSlice;
  compare: CompareSlice;
  radar: RadarSlice;
  icons: IconsSlice;
  monitors: MonitorsSlice;
  callbacks: CallbacksSlice;
  callbackSearch: CallbackSearchSlice;
  callbackSelection: CallbackSelectionSlice;
  callbackFiles: CallbackFilesSlice;
  callbackCompare: CallbackCompareSlice;
  callbackSends: CallbackSendsSlice;
  callbackStrips: CallbackStripsSlice;
  callbackEndpoints: CallbackEndpointsSlice;
  deliveryMatch: DeliveryMatchSlice;
  consents: ConsentsSlice;
  endpointCheck: EndpointCheckSlice;
  signatureDiagnosis: SignatureDiagnosisSlice;
  receiver: ReceiverSlice;
  webhookSecret: WebhookSecretSlice;
  rules: RulesSlice;
  sandbox: SandboxSlice;
  connections: ConnectionsSlice;
  transfer: TransferSlice;
  session: SessionSlice;
  traffic: TrafficSlice;
  toasts: ToastsSlice;
  help: HelpSlice;
  firstMinute: FirstMinuteSlice;
};

declare module '../store/app-state.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface AppState extends Slices {}
}

type Key = keyof AppState;
type Create<K extends Key> = (tools: SliceTools<AppState[K]>, others: OtherSlices) => Slice<AppState[K]>;

const creators: { readonly [K in Key]: Create<K> } = {
  commands: createCommandsSlice,
  frame: createFrameSlice,
  settings: createSettingsSlice,
  data: createDataSlice,
  diagnostics: createDiagnosticsSlice,
  notifications: createNotificationsSlice,
  places: createPlacesSlice,
  forecast: createForecastSlice,
  board: createBoardSlice,
  compare: createCompareSlice,
  radar: createRadarSlice,
  icons: createIconsSlice,
  monitors: createMonitorsSlice,
  callbacks: createCallbacksSlice,
  callbackSearch: createCallbackSearchSlice,
  callbackSelection: createCallbackSelectionSlice,
  callbackFiles: createCallbackFilesSlice,
  callbackCompare: createCallbackCompareSlice,
  callbackSends: createCallbackSendsSlice,
  callbackStrips: createCallbackStripsSlice,
  callbackEndpoints: createCallbackEndpointsSlice,
  deliveryMatch: createDeliveryMatchSlice,
  consents: createConsentsSlice,
  endpointCheck: createEndpointCheckSlice,
  signatureDiagnosis: createSignatureDiagnosisSlice,
  receiver: createReceiverSlice,
  webhookSecret: createWebhookSecretSlice,
  rules: createRulesSlice,
  sandbox: createSandboxSlice,
  connections: createConnectionsSlice,
  transfer: createTransferSlice,
  session: createSessionSlice,
  traffic: createTrafficSlice,
  toasts: createToastsSlice,
  help: createHelpSlice,
  firstMinute: createFirstMinuteSlice,
};
const keys = Object.keys(creators) as Key[];

export function createAppStore(client: AppClient): AppStore {
  const store = createStore<AppState>()(() => ({}) as AppState);
  const slices = new Map<Key, LiveSlice>(keys.map((key) => [key, liveSlice(key, store, client)]));
  store.setState(Object.fromEntries([...slices].map(([key, { first }]) => [key, first])));
  return {
    ...store,
    changeConnection(formerName) {
      const fresh: Partial<Record<Key, object>> = {};
      for (const [key, former] of slices) {
        if (former.does === 'keep') continue;
        const preserved = former.end(formerName);
        const next = liveSlice(key, store, client);
        slices.set(key, next);
        fresh[key] = { ...next.first, ...preserved };
      }
      const { frame, toasts } = store.getState();
      store.setState({
        ...(fresh as Partial<AppState>),
        frame: { ...frame, connectionChanges: frame.connectionChanges + 1 },
      });
      toasts.nameFormer(formerName);
    },
  };
}

type LiveSlice = {
  first: object;
  does: 'reset' | 'keep';
  /** Cuts it off, so that nothing it still does reaches the store or a service. Returns the members that outlive it. */
  end: (connectionName: string) => object;
};

function liveSlice<K extends Key>(key: K, store: StoreApi<AppState>, client: AppClient): LiveSlice {
  let over: { state: AppState[K]; connectionName: string } | undefined;
  const tools: SliceTools<AppState[K]> = {
    client: boundClient(client, () => over !== undefined),
    read: () => over?.state ?? store.getState()[key],
    change(part) {
      if (over) over.state = { ...over.state, ...part };
      else store.setState((state) => ({ [key]: { ...state[key], ...part } }) as Pick<AppState, K>);
    },
  };
  const show = (toast: NewToast): number => {
    const isOfConnection = policy.does === 'reset';
    return store.getState().toasts.show(over ? ofFormer(toast, over.connectionName) : { ...toast, isOfConnection });
  };
  const create: Create<K> = creators[key];
  const first = create(tools, { get: store.getState, show });
  const policy = first.onConnectionChange;
  return {
    first,
    does: policy.does,
    end(connectionName) {
      const state = store.getState()[key];
      over = { state, connectionName };
      const keeping = policy.does === 'reset' ? policy.keeping : [];
      return Object.fromEntries(keeping.map((name) => [name, state[name]]));
    },
  };
}
