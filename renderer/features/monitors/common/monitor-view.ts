// Which monitors the screen shows, and how.
export const monitorStates = {
  any: 'Any state',
  delivering: 'Delivering',
  failing: 'Failing',
  off: 'Off, callback dead',
  waiting: 'In its hour',
  never: 'No event yet',
  'this-app': 'Calls this app',
  elsewhere: 'Calls another address',
  'no-address': 'Address not given',
  unknown: 'State not known',
  going: 'Being deleted',
} as const;
export type MonitorState = keyof typeof monitorStates;

/** A service that tells nothing of deliveries leaves these unknown. */
export const deliveryStates: readonly MonitorState[] = ['delivering', 'failing', 'off'];

export const monitorSortKeys = ['name', 'location', 'callback', 'last', 'next'] as const;
export type MonitorSort = { by: (typeof monitorSortKeys)[number]; isDescending: boolean };

export type MonitorView = {
  /** The text that the monitors are filtered by. */
  text: string;
  state: MonitorState;
  sort: MonitorSort;
  isMapOpen: boolean;
};

export const usualView: MonitorView = {
  text: '',
  state: 'any',
  sort: { by: 'name', isDescending: false },
  isMapOpen: false,
};
