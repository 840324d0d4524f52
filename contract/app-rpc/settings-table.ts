// Every setting in one row: its key in the settings file, default, limits, section, title, and help. The schema (settings.ts), the Settings
// screen, its search, and the palette are made from these rows. Without zod, so that the first screen loads little.

export const settingSections = {
  appearance: 'Appearance',
  units: 'Units',
  time: 'Time',
  receiver: 'Callback receiver',
  notifications: 'Notifications',
  data: 'Data',
  network: 'Network',
  providers: 'Weather providers',
  privacy: 'Privacy',
  desktop: 'Desktop',
  about: 'About',
} as const;
export type SettingSection = keyof typeof settingSections;

/** A value of the settings file. */
export type ValueControl =
  | { control: 'choice'; choices: readonly { value: string; label: string }[]; default: string }
  | { control: 'switch'; default: boolean }
  | { control: 'number'; min: number; max: number; default: number }
  /** Null, shown as `emptyLabel`, is a value, too. */
  | { control: 'number'; min: number; max: number; default: number | null; emptyLabel: string }
  | { control: 'text'; placeholder: string; max: number; default: string | null };

type Texts = {
  section: SettingSection;
  title: string;
  meaning: string;
  /** What people may type instead of the title. */
  keywords: string;
  unit?: string;
  /** Only if this host has it. */
  host?: 'electron' | 'headless';
};
/** The Settings screen has a view for `custom`. With a default it is stored, and settings.ts has its schema. */
export type SettingRow = Texts & (ValueControl | { control: 'custom'; default?: object });

const system = { value: 'system', label: 'System' } as const;
const plain = <const Value extends string>(...values: readonly Value[]) =>
  values.map((value) => ({ value, label: value }));

/** By key; a part of a setting has a dot: `keptLimits.keptDays`. */
export const settingsTable = {
  theme: {
    section: 'appearance',
    title: 'Theme',
    meaning: '“System” follows this computer’s light or dark mode.',
    keywords: 'dark light color mode',
    control: 'choice',
    choices: [system, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }],
    default: 'system',
  },
  density: {
    section: 'appearance',
    title: 'Density',
    meaning: 'Height of rows and controls.',
    keywords: 'spacing compact rows size',
    control: 'choice',
    choices: [
      { value: 'compact', label: 'Compact' },
      { value: 'comfortable', label: 'Comfortable' },
    ],
    default: 'compact',
  },
  unitPreset: {
    section: 'units',
    title: 'Preset',
    meaning: 'Sets all units below. JSON, exports, and the API always use SI units.',
    keywords: 'metric imperial us uk aviation celsius fahrenheit',
    control: 'custom',
  },
  temperatureUnit: {
    section: 'units',
    title: 'Temperature',
    meaning: 'Also applies to the dew point.',
    keywords: 'celsius fahrenheit degrees',
    control: 'choice',
    choices: [system, ...plain('°C', '°F')],
    default: 'system',
  },
  precipitationUnit: {
    section: 'units',
    title: 'Precipitation',
    meaning: 'Amount of rain, and depth of snow (cm with mm).',
    keywords: 'rain millimeters inches',
    control: 'choice',
    choices: [system, ...plain('mm', 'in')],
    default: 'system',
  },
  windUnit: {
    section: 'units',
    title: 'Wind speed',
    meaning: 'Bft is the force on the Beaufort scale, 0 to 12.',
    keywords: 'knots beaufort mph kilometers',
    control: 'choice',
    choices: [system, ...plain('m/s', 'km/h', 'mph', 'kn', 'Bft')],
    default: 'system',
  },
  pressureUnit: {
    section: 'units',
    title: 'Pressure',
    meaning: 'Pressure at sea level.',
    keywords: 'hectopascal millibar inches mercury',
    control: 'choice',
    choices: [system, ...plain('hPa', 'inHg')],
    default: 'system',
  },
  zone: {
    section: 'time',
    title: 'Time zone',
    meaning: 'Time zone for forecasts. Logs use your time, or UTC if you choose it here.',
    keywords: 'timezone local utc',
    control: 'choice',
    choices: [
      { value: 'place', label: 'Place time' },
      { value: 'mine', label: 'My time' },
      { value: 'utc', label: 'UTC' },
    ],
    default: 'place',
  },
  clockFormat: {
    section: 'time',
    title: 'Clock',
    meaning: 'For example, 14:05 or 2:05 PM.',
    keywords: 'hours am pm format',
    control: 'choice',
    choices: [system, { value: '24', label: '24-hour clock' }, { value: '12', label: '12-hour clock' }],
    default: 'system',
  },
  receiverPort: {
    section: 'receiver',
    title: 'Port',
    meaning: 'Monitors keep the callback URL that they were created with.',
    keywords: 'address listen localhost',
    control: 'number',
    min: 1024,
    max: 65_535,
    default: 4545,
  },
  readsFeed: {
    section: 'receiver',
    title: 'Read events from the feed',
    meaning: 'Fetches events from the service, so callbacks don’t have to reach this computer.',
    keywords: 'tunnel pull poll behind firewall',
    control: 'switch',
    default: false,
  },
  receiverAccess: {
    section: 'receiver',
    title: 'HTTPS, local network, public URL',
    meaning: 'By default, only this computer can reach the receiver, over HTTP.',
    keywords: 'lan tls certificate tunnel secret signature',
    control: 'custom',
  },
  'keptLimits.keptCallbacks': {
    section: 'receiver',
    title: 'Callbacks to keep',
    meaning: 'Over this limit, the oldest callbacks are deleted.',
    keywords: 'retention limit history',
    unit: 'callbacks',
    control: 'number',
    min: 100,
    max: 5_000_000,
    default: 1_000_000,
  },
  'keptLimits.keptDays': {
    section: 'receiver',
    title: 'Days to keep callbacks',
    meaning: 'Leave empty for no limit.',
    keywords: 'retention limit age',
    unit: 'days',
    control: 'number',
    min: 1,
    max: 3650,
    emptyLabel: 'no limit',
    default: null,
  },
  'keptLimits.keptMegabytes': {
    section: 'receiver',
    title: 'Space for callbacks',
    meaning: 'Over this limit, the oldest callbacks are deleted.',
    keywords: 'retention limit disk size',
    unit: 'MB',
    control: 'number',
    min: 10,
    max: 100_000,
    default: 4096,
  },
  'keptLimits.bodyKilobytes': {
    section: 'receiver',
    title: 'Maximum body size',
    meaning: 'A larger body is truncated, and the sender gets 413.',
    keywords: 'limit request size payload',
    unit: 'kB',
    control: 'number',
    min: 1,
    max: 65_536,
    default: 1024,
  },
  'keptLimits.headerKilobytes': {
    section: 'receiver',
    title: 'Maximum size of request headers',
    meaning: 'A request with larger headers is refused with 431.',
    keywords: 'limit request size header',
    unit: 'kB',
    control: 'number',
    min: 16,
    max: 256,
    default: 16,
  },
  notifications: {
    section: 'notifications',
    title: 'Notifications and quiet hours',
    meaning: 'For new events, and for monitors whose delivery fails or is off.',
    keywords: 'alerts permission quiet hours sound',
    control: 'custom',
    default: { isOn: true, quiet: null },
  },
  dataFolder: {
    section: 'data',
    title: 'Data folder',
    meaning: 'Everything that Rainbell stores, and how large each part is.',
    keywords: 'disk size storage location path database',
    control: 'custom',
  },
  backup: {
    section: 'data',
    title: 'Back up and restore',
    meaning:
      'Rainbell backs up callbacks, traffic, forecasts, and notes once a day and before each update, and keeps the newest three backups. It leaves long bodies out if they take more than 256 MB.',
    keywords: 'copy save snapshot recover',
    control: 'custom',
  },
  clear: {
    section: 'data',
    title: 'Delete stored data',
    meaning: 'Choose what to delete. Make a backup first if you may need the data later.',
    keywords: 'clear remove erase reset history',
    control: 'custom',
  },
  network: {
    section: 'network',
    title: 'Proxy and CA certificates',
    meaning: 'Each connection has its own settings. Requests for a connection go through its proxy.',
    keywords: 'proxy ca certificate tls mtls client certificate',
    control: 'custom',
  },
  providerContact: {
    section: 'providers',
    title: 'Contact for MET Norway',
    meaning:
      'Email address or URL, sent in the sandbox’s User-Agent header. MET Norway requires it; without it, the sandbox doesn’t use MET Norway. Takes effect after you restart Rainbell.',
    keywords: 'user-agent met.no yr provider email',
    control: 'text',
    placeholder: 'dev@example.com',
    max: 200,
    default: null,
  },
  checksForUpdates: {
    section: 'privacy',
    title: 'Check for new versions automatically',
    meaning: 'Once a day. Sends only the app version. If you run Rainbell from source code, it checks only on request.',
    keywords: 'update release',
    control: 'switch',
    default: true,
  },
  updates: {
    section: 'privacy',
    title: 'New version',
    meaning: '',
    keywords: 'update release check now',
    control: 'custom',
  },
  privacy: {
    section: 'privacy',
    title: 'Data sent from this computer',
    meaning: 'No telemetry, no crash reports, no accounts.',
    keywords: 'telemetry tracking hosts network requests',
    control: 'custom',
  },
  secrets: {
    section: 'privacy',
    title: 'Secrets at rest',
    meaning: '',
    keywords: 'tokens keyring encryption password',
    control: 'custom',
  },
  desktop: {
    section: 'desktop',
    title: 'Login, window, spelling',
    meaning: '',
    keywords: 'open at login start tray hidden close window quit spell check dictionary',
    host: 'electron',
    control: 'custom',
    default: {
      opensAtLogin: false,
      startsHidden: true,
      onLastWindowClosed: 'keep-running',
      checksSpelling: null,
    },
  },
  diagnostics: {
    section: 'about',
    title: 'Diagnostics',
    meaning:
      'Versions, states, settings, and the end of the log, but no secrets or bodies. You review every file first.',
    keywords: 'report problem support log zip',
    control: 'custom',
  },
} as const satisfies Record<string, SettingRow>;

type Identified<Row> = Row & { id: keyof typeof settingsTable };
export const settingRows = Object.entries<SettingRow>(settingsTable).map(
  ([id, row]) => ({ id, ...row }) as Identified<SettingRow>,
);
/** A row with a value that `settings.update` can change. */
export type ValueRow = Extract<Identified<SettingRow>, ValueControl>;

/** What the app remembers without a row on the screen. */
const remembered = {
  publicBase: null,
  skippedVersion: null,
  getStarted: 'open',
  place: { name: 'Turin', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null },
  savedPlaces: [],
  recentPlaces: [],
  recentCommands: [],
};

/** The value of each setting that the user has not changed; default-settings.ts has them with their types. */
export const storedDefaults = Object.entries<SettingRow>(settingsTable).reduce<Record<string, unknown>>(
  (settings, [key, row]) => {
    const [field = '', part] = key.split('.');
    if (row.default === undefined) return settings;
    return {
      ...settings,
      [field]: part === undefined ? row.default : { ...(settings[field] as object), [part]: row.default },
    };
  },
  remembered,
);
