import type { MonitorView } from './monitor-view.ts';

/** How the screen looks before anything is filtered or sorted. */
export const defaultView: MonitorView = {
  text: '',
  state: 'any',
  sort: { by: 'name', isDescending: false },
  isMapOpen: false,
};
