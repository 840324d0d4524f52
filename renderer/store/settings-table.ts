// Every setting in one table: the Settings screen draws it, and its search and the palette read it.
import { defaultSettings, type Settings } from '@rainbell/contract/app-rpc';
import type { settingsSections } from './sections.ts';

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
} as const satisfies Record<(typeof settingsSections)[number], string>;
export type SettingSection = keyof typeof settingSections;

type Choice = { value: string; label: string };

type Common = {
  /** Unique; a part of a setting has a dot: `keptLimits.keptDays`. */
  id: string;
  section: SettingSection;
  title: string;
  meaning: string;
  /** What people may type instead of the title. */
  keywords?: string;
  /** Of the value; a setting without one has none. */
  unit?: string;
  /** Only if this host has it. */
  host?: 'electron' | 'headless';
};

/** A value of the settings file. */
export type ValueRow = Common &
  (
    | { control: 'choice'; choices: readonly Choice[] }
    | { control: 'switch' }
    | { control: 'number'; min: number; max: number; isOptional?: true; emptyLabel?: string }
    | { control: 'text'; placeholder: string; max: number }
  );
/** A control of its own, drawn by the screen. */
export type CustomRow = Common & { control: 'custom' };
export type SettingRow = ValueRow | CustomRow;

const auto: Choice = { value: 'system', label: 'System' };
const plain = (...values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }));

export const settingRows: readonly SettingRow[] = [
  {
    id: 'theme',
    section: 'appearance',
    title: 'Theme',
    meaning: '“System” follows this computer’s light or dark mode.',
    keywords: 'dark light color mode',
    control: 'choice',
    choices: [auto, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }],
  },
  {
    id: 'density',
    section: 'appearance',
    title: 'Density',
    meaning: 'Height of rows and controls.',
    keywords: 'spacing compact rows size',
    control: 'choice',
    choices: [
      { value: 'compact', label: 'Compact' },
      { value: 'comfortable', label: 'Comfortable' },
    ],
  },
  {
    id: 'unitPreset',
    section: 'units',
    title: 'Preset',
    meaning: 'Sets all units below. JSON, exports, and the API always use SI units.',
    keywords: 'metric imperial us uk aviation celsius fahrenheit',
    control: 'custom',
  },
  {
    id: 'temperatureUnit',
    section: 'units',
    title: 'Temperature',
    meaning: 'Also applies to dew point and feels-like temperature.',
    keywords: 'celsius fahrenheit degrees',
    control: 'choice',
    choices: [auto, ...plain('°C', '°F')],
  },
  {
    id: 'precipitationUnit',
    section: 'units',
    title: 'Precipitation',
    meaning: 'Amount of rain, and depth of snow (cm with mm).',
    keywords: 'rain millimeters inches',
    control: 'choice',
    choices: [auto, ...plain('mm', 'in')],
  },
  {
    id: 'windUnit',
    section: 'units',
    title: 'Wind speed',
    meaning: 'Bft is the force on the Beaufort scale, 0 to 12.',
    keywords: 'knots beaufort mph kilometers',
    control: 'choice',
    choices: [auto, ...plain('m/s', 'km/h', 'mph', 'kn', 'Bft')],
  },
  {
    id: 'pressureUnit',
    section: 'units',
    title: 'Pressure',
    meaning: 'Pressure at sea level.',
    keywords: 'hectopascal millibar inches mercury',
    control: 'choice',
    choices: [auto, ...plain('hPa', 'inHg')],
  },
  {
    id: 'zone',
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
  },
  {
    id: 'clockFormat',
    section: 'time',
    title: 'Clock',
    meaning: 'For example, 14:05 or 2:05 PM.',
    keywords: 'hours am pm format',
    control: 'choice',
    choices: [auto, { value: '24', label: '24-hour clock' }, { value: '12', label: '12-hour clock' }],
  },
  {
    id: 'receiverPort',
    section: 'receiver',
    title: 'Port',
    meaning: 'Monitors keep the callback URL that they were created with.',
    keywords: 'address listen localhost',
    control: 'custom',
  },
  {
    id: 'readsFeed',
    section: 'receiver',
    title: 'Read events from the feed',
    meaning: 'Fetches events from the service, so callbacks don’t have to reach this computer.',
    keywords: 'tunnel pull poll behind firewall',
    control: 'switch',
  },
  {
    id: 'receiverAccess',
    section: 'receiver',
    title: 'HTTPS, local network, public URL',
    meaning: 'By default, only this computer can reach the receiver, over HTTP.',
    keywords: 'lan tls certificate tunnel secret signature',
    control: 'custom',
  },
  {
    id: 'keptLimits.keptCallbacks',
    section: 'receiver',
    title: 'Callbacks to keep',
    meaning: 'Over this limit, the oldest callbacks are deleted.',
    keywords: 'retention limit history',
    unit: 'callbacks',
    control: 'number',
    min: 100,
    max: 5_000_000,
  },
  {
    id: 'keptLimits.keptDays',
    section: 'receiver',
    title: 'Days to keep callbacks',
    meaning: 'Leave empty for no limit.',
    keywords: 'retention limit age',
    unit: 'days',
    control: 'number',
    min: 1,
    max: 3650,
    isOptional: true,
    emptyLabel: 'no limit',
  },
  {
    id: 'keptLimits.keptMegabytes',
    section: 'receiver',
    title: 'Space for callbacks',
    meaning: 'Over this limit, the oldest callbacks are deleted.',
    keywords: 'retention limit disk size',
    unit: 'MB',
    control: 'number',
    min: 10,
    max: 100_000,
  },
  {
    id: 'keptLimits.bodyKilobytes',
    section: 'receiver',
    title: 'Maximum body size',
    meaning: 'A larger body is truncated, and the sender gets 413.',
    keywords: 'limit request size payload',
    unit: 'kB',
    control: 'number',
    min: 1,
    max: 65_536,
  },
  {
    id: 'keptLimits.headerKilobytes',
    section: 'receiver',
    title: 'Maximum size of request headers',
    meaning: 'A request with larger headers is refused with 431.',
    keywords: 'limit request size header',
    unit: 'kB',
    control: 'number',
    min: 16,
    max: 256,
  },
  {
    id: 'notifications',
    section: 'notifications',
    title: 'Notifications and quiet hours',
    meaning: 'For new events, and for monitors whose delivery fails or is off.',
    keywords: 'alerts permission quiet hours sound',
    control: 'custom',
  },
  {
    id: 'dataFolder',
    section: 'data',
    title: 'Data folder',
    meaning: 'Everything that Rainbell stores, and how large each part is.',
    keywords: 'disk size storage location path database',
    control: 'custom',
  },
  {
    id: 'backup',
    section: 'data',
    title: 'Back up and restore',
    meaning:
      'Rainbell backs up callbacks, traffic, forecasts, and notes once a day and before each update, and keeps the newest three backups. It leaves long bodies out if they take more than 256 MB.',
    keywords: 'copy save snapshot recover',
    control: 'custom',
  },
  {
    id: 'clear',
    section: 'data',
    title: 'Delete stored data',
    meaning: 'Choose what to delete. Make a backup first if you may need the data later.',
    keywords: 'clear remove erase reset history',
    control: 'custom',
  },
  {
    id: 'network',
    section: 'network',
    title: 'Proxy and CA certificates',
    meaning: 'Each connection has its own settings. Requests for a connection go through its proxy.',
    keywords: 'proxy ca certificate tls mtls client certificate',
    control: 'custom',
  },
  {
    id: 'providerContact',
    section: 'providers',
    title: 'Contact for MET Norway',
    meaning:
      'Email address or URL, sent in the sandbox’s User-Agent header. MET Norway requires it; without it, the sandbox doesn’t use MET Norway. Takes effect after you restart Rainbell.',
    keywords: 'user-agent met.no yr provider email',
    control: 'text',
    placeholder: 'dev@example.com',
    max: 200,
  },
  {
    id: 'checksForUpdates',
    section: 'privacy',
    title: 'Check for new versions automatically',
    meaning: 'Once a day. Sends only the app version. If you run Rainbell from source code, it checks only on request.',
    keywords: 'update release',
    control: 'switch',
  },
  {
    id: 'updates',
    section: 'privacy',
    title: 'New version',
    meaning: '',
    keywords: 'update release check now',
    control: 'custom',
  },
  {
    id: 'privacy',
    section: 'privacy',
    title: 'Data sent from this computer',
    meaning: 'No telemetry, no crash reports, no accounts.',
    keywords: 'telemetry tracking hosts network requests',
    control: 'custom',
  },
  {
    id: 'secrets',
    section: 'privacy',
    title: 'Secrets at rest',
    meaning: '',
    keywords: 'tokens keyring encryption password',
    control: 'custom',
  },
  {
    id: 'desktop',
    section: 'desktop',
    title: 'Login, window, spelling',
    meaning: '',
    keywords: 'open at login start tray hidden close window quit spell check dictionary',
    host: 'electron',
    control: 'custom',
  },
  {
    id: 'diagnostics',
    section: 'about',
    title: 'Diagnostics',
    meaning:
      'Versions, states, settings, and the end of the log, but no secrets or bodies. You review every file first.',
    keywords: 'report problem support log zip',
    control: 'custom',
  },
  {
    id: 'sources',
    section: 'about',
    title: 'Data sources',
    meaning: 'Where weather and place data come from, and which licenses apply.',
    keywords: 'license attribution credits',
    control: 'custom',
  },
];

function pathOf(id: string): readonly [keyof Settings, string | undefined] {
  const [field = '', part] = id.split('.');
  return [field as keyof Settings, part];
}

type Value = string | number | boolean | null;

/** The value of a row in these settings. */
export function settingValue(values: Partial<Settings>, { id }: ValueRow): Value {
  const [field, part] = pathOf(id);
  const value: unknown = values[field];
  return (part === undefined ? value : (value as Readonly<Record<string, unknown>>)[part]) as Value;
}

export function defaultValue(row: ValueRow): Value {
  return settingValue(defaultSettings as unknown as Settings, row);
}

/** The change that gives a row this value, for `settings.update`. */
export function settingChange(values: Settings, { id }: ValueRow, value: Value): Partial<Settings> {
  const [field, part] = pathOf(id);
  if (part === undefined) return { [field]: value };
  return { [field]: { ...(values[field] as object), [part]: value } };
}

/** As a user reads it: `Compact`, `4,545`, `On`. */
export function formatSetting(row: ValueRow, value: Value): string {
  switch (row.control) {
    case 'choice':
      return row.choices.find((choice) => choice.value === value)?.label ?? String(value);
    case 'switch':
      return value === true ? 'On' : 'Off';
    case 'number':
      if (value === null) return row.emptyLabel ?? 'none';
      return `${Number(value).toLocaleString('en')}${row.unit === undefined ? '' : ` ${row.unit}`}`;
    case 'text':
      return value === null || value === '' ? 'none' : String(value);
  }
}

/** The rows that match all words of a search, in any of their texts. */
export function searchSettings(rows: readonly SettingRow[], text: string): readonly SettingRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const choices = row.control === 'choice' ? row.choices.map(({ label }) => label).join(' ') : '';
    const haystack = [row.title, row.meaning, row.keywords, row.unit, settingSections[row.section], choices]
      .join(' ')
      .toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
