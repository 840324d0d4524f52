import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';
import { helpLink } from './help-link.ts';
import { openHelp } from './selectors.ts';

interface HelpSlice extends ReturnType<typeof createHelpSlice> {}

/** Which page of the help is open, and where on it. */
function createHelpSlice({ change }: SliceTools<HelpSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'the help comes with the app' } as const,
    /** A page of `virtual:help-pages`, or `about`. */
    page: 'start',
    /** A section of the page, or empty for its top. */
    section: '',
    search: '',
    open: (page: string, section = ''): void => change({ page, section, search: '' }),
    setSearch: (search: string): void => change({ search }),
  };
}

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
  commands: (store) => ({
    'help.open': () => store.getState().frame.goTo('help'),
    'help.about': () => openHelp(store.getState(), 'about'),
    'help.report': () => openHelp(store.getState(), 'data', 'report-a-problem'),
  }),
};
