import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { HelpButton } from './HelpButton.tsx';
import { helpLink } from './help-link.ts';
import { createHelpSlice } from './help-slice.ts';
import { openHelp } from './selectors.ts';

const slices = { help: createHelpSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const help: Feature = {
  slices,
  screen: {
    name: 'help',
    title: 'Help',
    View: lazy(async () => ({ default: (await import('./HelpScreen.tsx')).HelpScreen })),
    link: helpLink,
  },
  parts: { help: HelpButton },
  commands: (store) => ({
    'help.open': () => store.getState().frame.goTo('help'),
    'help.about': () => openHelp(store.getState(), 'about'),
    'help.report': () => openHelp(store.getState(), 'data', 'report-a-problem'),
  }),
};
