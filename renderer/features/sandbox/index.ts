import { IconFlask } from '@tabler/icons-react';
import { lazy } from 'react';
import type { AppState, Feature } from '../../store/app-state.ts';
import { sectionLink } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { openRainDialog, selectOpenMonitor } from '../monitors/selectors.ts';
import { createSandboxSlice } from './sandbox-slice.ts';

const slices = { sandbox: createSandboxSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const sandbox: Feature = {
  slices,
  screen: {
    name: 'sandbox',
    title: 'Sandbox',
    View: lazy(async () => ({ default: (await import('./SandboxScreen.tsx')).SandboxScreen })),
    link: sectionLink('sandbox', ['scenarios', 'faults', 'clock', 'provider']),
    isOfService: true,
    navigation: {
      order: 60,
      Icon: IconFlask,
      place: 'rest',
      isShown: ({ frame }) => frame.status?.connection.isSandbox ?? true,
    },
  },
  commands: (store) => ({
    'sandbox.rain': () => {
      const state = store.getState();
      const monitor = state.frame.screen === 'monitors' ? selectOpenMonitor(state) : undefined;
      if (monitor) openRainDialog(state, monitor);
      else state.frame.goTo('sandbox');
    },
    'sandbox.clear': () => store.getState().sandbox.clearScenarios(),
    'sandbox.hour': () => store.getState().sandbox.moveClock({ kind: 'advance', seconds: 3600 }),
  }),
  isCommandHidden: (state, id) => !isSandbox(state) && /^sandbox\.|^go\.sandbox$/.test(id),
  notices: { sandbox: (store) => void store.getState().sandbox.load() },
  readFromService: (state) => void (isSandbox(state) && state.sandbox.load()),
  afterConnectionChange(store) {
    const { frame } = store.getState();
    if (frame.screen === 'sandbox' && !isSandbox(store.getState())) frame.goTo('forecast');
  },
};

function isSandbox({ frame }: AppState): boolean {
  return frame.status?.connection.isSandbox === true;
}
