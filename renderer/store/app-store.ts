// The screens' one store: a slice per feature over the injected client. Nothing here is module state; a test makes as many
// stores as it likes.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppClient } from '#contract/procedures/contract.ts';
import { createSessionSlice, type SessionSlice } from '#renderer/features/access/session-slice.ts';
import { newestId } from '#renderer/features/callbacks/callback-log.ts';
import { createCallbacksSlice, type CallbacksSlice } from '#renderer/features/callbacks/callbacks-slice.ts';
import { type CallbackCompareSlice, createCallbackCompareSlice } from '#renderer/features/callbacks/compare-slice.ts';
import {
  type CallbackEndpointsSlice,
  createCallbackEndpointsSlice,
} from '#renderer/features/callbacks/endpoints-slice.ts';
import { type CallbackFilesSlice, createCallbackFilesSlice } from '#renderer/features/callbacks/files-slice.ts';
import { type CallbackMarksSlice, createCallbackMarksSlice } from '#renderer/features/callbacks/marks-slice.ts';
import { createReceiverSlice, type ReceiverSlice } from '#renderer/features/callbacks/receiver-slice.ts';
import { type CallbackSearchSlice, createCallbackSearchSlice } from '#renderer/features/callbacks/search-slice.ts';
import { type CallbackSendsSlice, createCallbackSendsSlice } from '#renderer/features/callbacks/sends-slice.ts';
import { type CallbackStripsSlice, createCallbackStripsSlice } from '#renderer/features/callbacks/strips-slice.ts';
import { type ConnectionsSlice, createConnectionsSlice } from '#renderer/features/connections/connections-slice.ts';
import { createTransferSlice, type TransferSlice } from '#renderer/features/connections/transfer-slice.ts';
import { type BoardSlice, createBoardSlice } from '#renderer/features/forecast/board-slice.ts';
import { type CompareSlice, createCompareSlice } from '#renderer/features/forecast/compare-slice.ts';
import { createIconsSlice, type IconsSlice } from '#renderer/features/forecast/icons-slice.ts';
import { createForecastSlice, type ForecastSlice } from '#renderer/features/forecast/forecast-slice.ts';
import { createFrameSlice, type FrameSlice } from '#renderer/features/frame/frame-slice.ts';
import { createMonitorsSlice, type MonitorsSlice } from '#renderer/features/monitors/monitors-slice.ts';
import { createSandboxSlice, type SandboxSlice } from '#renderer/features/sandbox/sandbox-slice.ts';
import { createDiagnosticsSlice, type DiagnosticsSlice } from '#renderer/features/settings/diagnostics-slice.ts';
import { createSettingsSlice, type SettingsSlice } from '#renderer/features/settings/settings-slice.ts';
import { createRulesSlice, type RulesSlice } from '#renderer/features/rules/rules-slice.ts';
import { createTrafficSlice, type TrafficSlice } from '#renderer/features/traffic/traffic-slice.ts';
import { createPlacesSlice, type PlacesSlice } from './places-slice.ts';
import type { SliceTools } from './slice.ts';
import { createToastsSlice, type ToastsSlice } from './toasts-slice.ts';

export type AppState = {
  frame: FrameSlice;
  settings: SettingsSlice;
  diagnostics: DiagnosticsSlice;
  places: PlacesSlice;
  forecast: ForecastSlice;
  board: BoardSlice;
  compare: CompareSlice;
  icons: IconsSlice;
  monitors: MonitorsSlice;
  callbacks: CallbacksSlice;
  callbackSearch: CallbackSearchSlice;
  callbackMarks: CallbackMarksSlice;
  callbackFiles: CallbackFilesSlice;
  callbackCompare: CallbackCompareSlice;
  callbackSends: CallbackSendsSlice;
  callbackStrips: CallbackStripsSlice;
  callbackEndpoints: CallbackEndpointsSlice;
  receiver: ReceiverSlice;
  rules: RulesSlice;
  sandbox: SandboxSlice;
  connections: ConnectionsSlice;
  transfer: TransferSlice;
  session: SessionSlice;
  traffic: TrafficSlice;
  toasts: ToastsSlice;
};
export type AppStore = StoreApi<AppState>;

export function createAppStore(client: AppClient): AppStore {
  return createStore<AppState>()((set, get) => {
    const tools = <K extends keyof AppState>(key: K): SliceTools<AppState[K]> => ({
      client,
      read: () => get()[key],
      change: (part) => set((state) => ({ [key]: { ...state[key], ...part } }) as Pick<AppState, K>),
    });
    return {
      frame: createFrameSlice(tools('frame')),
      settings: createSettingsSlice(tools('settings'), (message) => get().toasts.show({ tone: 'bad', message })),
      diagnostics: createDiagnosticsSlice(tools('diagnostics'), (toast) => get().toasts.show(toast)),
      places: createPlacesSlice(tools('places')),
      forecast: createForecastSlice(tools('forecast')),
      board: createBoardSlice(tools('board')),
      compare: createCompareSlice(tools('compare')),
      icons: createIconsSlice(tools('icons')),
      monitors: createMonitorsSlice(tools('monitors'), (toast) => get().toasts.show(toast)),
      callbacks: createCallbacksSlice(tools('callbacks'), (rows) => get().monitors.noteCallbacks(rows)),
      callbackSearch: createCallbackSearchSlice(tools('callbackSearch'), () => newestId(get().callbacks.log)),
      callbackMarks: createCallbackMarksSlice(tools('callbackMarks'), (toast) => get().toasts.show(toast)),
      callbackFiles: createCallbackFilesSlice(tools('callbackFiles'), (toast) => get().toasts.show(toast)),
      callbackCompare: createCallbackCompareSlice(tools('callbackCompare')),
      callbackSends: createCallbackSendsSlice(tools('callbackSends'), (id) => {
        const { selectedId, select } = get().callbacks;
        if (selectedId === id) void select(id);
      }),
      callbackStrips: createCallbackStripsSlice(tools('callbackStrips')),
      callbackEndpoints: createCallbackEndpointsSlice(tools('callbackEndpoints')),
      receiver: createReceiverSlice(tools('receiver')),
      rules: createRulesSlice(tools('rules')),
      sandbox: createSandboxSlice(tools('sandbox'), (toast) => get().toasts.show(toast)),
      connections: createConnectionsSlice(tools('connections'), (toast) => get().toasts.show(toast)),
      transfer: createTransferSlice(
        tools('transfer'),
        (toast) => get().toasts.show(toast),
        () => get().connections.load(),
      ),
      session: createSessionSlice(tools('session'), (toast) => get().toasts.show(toast)),
      traffic: createTrafficSlice(tools('traffic')),
      toasts: createToastsSlice(tools('toasts')),
    };
  });
}
