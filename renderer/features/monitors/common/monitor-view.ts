// Which monitors the screen shows, and how.
export const monitorConditions = ['any', 'ready', 'cool-down', 'failing', 'off', 'paused', 'unknown'] as const;
/** Which state is shown; every other condition is a term of the filter. */
export type ShownCondition = (typeof monitorConditions)[number];

export const monitorSortKeys = ['name', 'place', 'state', 'callback', 'last', 'next', 'created'] as const;
export type MonitorSort = { by: (typeof monitorSortKeys)[number]; isDescending: boolean };

export type MonitorView = {
  /** The filter, as monitor-query.ts reads it. */
  text: string;
  state: ShownCondition;
  sort: MonitorSort;
  isMapOpen: boolean;
};
