import { IconBellRinging } from '@tabler/icons-react';
import { lazy } from 'react';
import type { BulkRun } from '@rainbell/contract/app-rpc';
import type { AppState, AppStore, Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createMonitorsSlice } from './common/monitors-slice.ts';
import { monitorsLink } from './monitors-link.ts';
import { openMonitor } from './selectors.ts';

const slices = { monitors: createMonitorsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const monitors: Feature = {
  slices,
  screen: {
    name: 'monitors',
    title: 'Monitors',
    View: lazy(async () => ({ default: (await import('./MonitorsScreen.tsx')).MonitorsScreen })),
    link: monitorsLink,
    isOfService: true,
    navigation: {
      order: 20,
      Icon: IconBellRinging,
      count: (state) => state.monitors.items.filter(({ deletion }) => deletion === null).length,
      countForms: ['# monitor', '# monitors'],
    },
  },
  dialogs: [
    {
      isOpen: (state) => state.monitors.dialog !== null,
      View: lazy(async () => ({ default: (await import('./form/MonitorDialogs.tsx')).MonitorDialogs })),
    },
  ],
  parts: {
    'receiver dialog': lazy(async () => ({ default: (await import('./OldUrlMonitors.tsx')).OldUrlMonitors })),
  },
  commands: (store) => ({
    'monitors.new': () => store.getState().monitors.openDialog({ kind: 'create', at: null }),
    'monitors.import': () => store.getState().monitors.openDialog({ kind: 'import' }),
  }),
  notices: {
    monitors: (store) => void store.getState().monitors.load(),
    'show-monitor': (store, { id }) => openMonitor(store.getState(), id),
  },
  readFromService: (state) => void state.monitors.load(),
  repeatRefused: ({ monitors }, isRefused) => void (isRefused(monitors.request) && monitors.load()),
  afterConnectionChange(store, { name, state }) {
    const { bulk } = state.monitors;
    const message = bulk?.isRunning && `${name}: ${stoppedBulk(bulk)}`;
    if (message) store.getState().toasts.show({ tone: 'bad', message });
  },
  afterChange(state, before) {
    const [receiver, former] = [readyReceiver(state), readyReceiver(before)];
    // Other monitors call this app now, or none.
    if (receiver !== undefined && former !== undefined && receiver !== former) void state.monitors.load();
  },
  start: watchDeliveries,
};

const checkEveryMs = 15_000;

/**
 * Reads the delivery states again, on any screen, because a failing callback is reported at once. Services without delivery states are
 * not queried, and a hidden window requests nothing.
 */
function watchDeliveries(store: AppStore, page: Window): void {
  const check = () => {
    const { frame, monitors } = store.getState();
    const isPossible = monitors.facts !== null && monitors.items.length > 0 && frame.link.state === 'connected';
    if (!page.document.hidden && isPossible) void monitors.loadFacts();
  };
  setInterval(check, checkEveryMs);
  page.document.addEventListener('visibilitychange', check);
}

/** The receiver's address, undefined while the service is not ready. */
function readyReceiver({ frame: { status } }: AppState): string | null | undefined {
  return status?.connection.state === 'ready' ? status.receiver.baseUrl : undefined;
}

function stoppedBulk({ title, done, total }: BulkRun): string {
  return `“${title}” stopped after ${done} of ${total} because the active connection changed.`;
}
