// The screens, in the order of the navigation.
export const screens = [
  'forecast',
  'monitors',
  'callbacks',
  'access',
  'traffic',
  'sandbox',
  'connections',
  'settings',
  'help',
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
  help: 'Help',
};
