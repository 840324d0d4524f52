/** The benches, each in a file of its name, in the order in which they run. */
export const benches = [
  'receiver',
  'weather',
  'cold-cell',
  'monitors',
  'delivery',
  'first-screen',
  'callback-list',
  'viewers',
  'palette',
  'forecast',
  'start',
  'memory',
  'rest',
  'install',
  'fleet',
] as const;
