// The screens there are, in the order of the navigation, and their addresses in the location's hash.
export const screens = [
  'forecast',
  'monitors',
  'callbacks',
  'access',
  'traffic',
  'sandbox',
  'connections',
  'settings',
] as const;
export type Screen = (typeof screens)[number];

export const screenTitles: Readonly<Record<Screen, string>> = {
  forecast: 'Forecast',
  monitors: 'Monitors',
  callbacks: 'Callbacks',
  access: 'Access',
  traffic: 'Traffic',
  sandbox: 'Sandbox',
  connections: 'Connections',
  settings: 'Settings',
};

/** The screen that `#/monitors` means, or undefined. */
export function screenOfHash(hash: string): Screen | undefined {
  const name = /^#\/([a-z]+)/.exec(hash)?.[1];
  return screens.find((screen) => screen === name);
}
