// Every setting of the service: one row each, with unit, default, and meaning. config.ts reads flags and environment variables from
// this table, and `--help` prints it, so no setting is undocumented.
import { z } from 'zod';
import { isAddressRange } from '@rainbell/shared/node';
import { providerChoices } from '@rainbell/contract/service-api';
import { providerSettings } from '../weather/providers/providers.ts';
import { optionalText, type SettingRow, text, webAddress } from './setting-row.ts';

function whole(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, rule).transform(Number).pipe(z.number().min(min, rule).max(max, rule));
}

const instant = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-11-21T06:00:00Z' })
  .or(z.iso.datetime({ local: true }).transform((local) => `${local}Z`));
const urlLike = (example: string, scheme: RegExp) =>
  z.string().refine((text) => scheme.test(text) && URL.canParse(text), `must be a URL like ${example}`);

const keyList = z.string().transform((text) => text.split(',').map((key) => key.trim()));
const minKeyLength = 16;
const keys = keyList.refine(
  (list) => list.every((key) => key.length >= minKeyLength),
  `must contain keys of at least ${minKeyLength} characters each`,
);
/** Ed25519 seeds as Standard Webhooks writes them. During a change of the key there are two. */
const signingKeys = keyList.refine(
  (list) => list.length <= 4 && list.every((key) => /^whsk_[A-Za-z0-9+/]{43}=$/.test(key)),
  'must be one to four keys of the form whsk_ followed by 32 bytes in base64, separated by commas',
);
const list = z.string().transform((words) => words.split(/[\s,]+/).filter((word) => word !== ''));

// The role of a process in a fleet (docs/operations.md). A single process does everything.
const parts = ['api', 'sweeper', 'sender'] as const;

const serviceRoles = ['all', ...parts] as const;
type ServiceRole = (typeof serviceRoles)[number];

/** Whether a process with this role has that part: serving requests, watching the weather, or delivering. */
export function hasPart(role: ServiceRole, part: (typeof parts)[number]): boolean {
  return role === 'all' || role === part;
}

export const settings = {
  port: {
    flag: 'port',
    environment: 'RAINBELL_PORT',
    schema: whole(0, 65_535),
    default: '8420',
    unit: 'port',
    meaning: 'Port to listen on; 0 picks a free one.',
  },
  host: {
    flag: 'host',
    environment: 'RAINBELL_HOST',
    schema: text,
    default: '127.0.0.1',
    unit: 'address',
    meaning:
      'The network address to listen on. If it is not loopback, the service is public: it has no sandbox, and no callbacks to private networks except those that you allow.',
  },
  dataFolder: {
    flag: 'data',
    environment: 'RAINBELL_DATA',
    schema: optionalText,
    unit: 'folder',
    meaning: "Folder for all data; the service uses its subfolder service/. Default: the user's data folder.",
  },
  databaseUrl: {
    flag: 'database',
    environment: 'RAINBELL_DATABASE',
    isSecret: true,
    schema: urlLike('postgres://user:password@host:5432/name', /^postgres(ql)?:\/\//).optional(),
    unit: 'URL',
    meaning: 'A PostgreSQL database to use instead of the SQLite file in the data folder.',
  },
  databaseConnections: {
    environment: 'RAINBELL_DATABASE_CONNECTIONS',
    schema: whole(2, 1_000),
    default: '10',
    unit: 'count',
    meaning: 'Maximum number of connections that this process opens to PostgreSQL.',
  },
  migrations: {
    environment: 'RAINBELL_MIGRATIONS',
    schema: z.enum(['start', 'apart'], 'must be start or apart'),
    default: 'start',
    unit: 'start | apart',
    meaning:
      'When a PostgreSQL database is brought up to date: each time the service starts, or only when you run ' +
      '"npm run service -- migrate" (apart), so that the service itself doesn\'t need permission to change tables.',
  },
  role: {
    flag: 'role',
    environment: 'RAINBELL_ROLE',
    schema: z.enum(serviceRoles, `must be one of ${serviceRoles.join(', ')}`),
    default: 'all',
    unit: serviceRoles.join(' | '),
    meaning:
      'What this process does: api handles requests, sweeper checks the weather for monitors, sender delivers events and ' +
      'emails. A fleet needs at least one of each.',
  },
  drainSeconds: {
    environment: 'RAINBELL_DRAIN_SECONDS',
    schema: whole(0, 600),
    default: '0',
    unit: 'seconds',
    meaning:
      'How long a process that is stopping keeps handling requests. Meanwhile, /health/ready returns 503, and responses have ' +
      'Connection: close, so that a proxy stops sending it requests before it exits.',
  },
  provider: {
    flag: 'provider',
    environment: 'RAINBELL_PROVIDER',
    schema: z.enum(providerChoices, `must be one of ${providerChoices.join(', ')}`),
    default: 'auto',
    unit: providerChoices.join(' | '),
    meaning:
      'Where weather comes from; auto uses a live provider if one is reachable, otherwise stored weather, otherwise simulated weather.',
  },
  simulatedRain: {
    environment: 'RAINBELL_SIMULATED_RAIN',
    schema: z.enum(['on', 'off'], 'must be on or off'),
    default: 'on',
    unit: 'on | off',
    meaning:
      'Whether the simulated weather includes precipitation. If off, the simulation is always dry, so that only scenarios cause events in it, for example in CI.',
  },
  clockStart: {
    flag: 'clock',
    environment: 'RAINBELL_CLOCK',
    schema: instant.optional(),
    unit: 'ISO 8601',
    meaning: "The time at which the service's clock starts; it runs normally from there. Default: the real time.",
  },
  publicUrl: {
    environment: 'RAINBELL_PUBLIC_URL',
    schema: webAddress.optional(),
    unit: 'URL',
    meaning:
      'The base URL that clients use, if it differs from the host and port (behind a proxy). If it is not loopback, the service is public.',
  },
  ...providerSettings,
  metarUrl: {
    environment: 'RAINBELL_METAR_URL',
    schema: webAddress,
    default: 'https://aviationweather.gov',
    unit: 'URL',
    meaning: 'The server for airport observations.',
  },
  sweepSeconds: {
    environment: 'RAINBELL_SWEEP_SECONDS',
    schema: whole(5, 3600),
    default: '60',
    unit: 'seconds',
    meaning: 'Interval at which the weather is checked for all monitors.',
  },
  callbackAllowlist: {
    environment: 'RAINBELL_CALLBACK_ALLOWLIST',
    schema: list,
    default: '',
    unit: 'hosts, addresses, ranges',
    meaning: 'Private hosts to which a public service may send callbacks, such as "hooks.lan, 10.1.0.0/16".',
  },
  callbackLan: {
    flag: 'allow-lan',
    isSwitch: true,
    environment: 'RAINBELL_CALLBACK_LAN',
    schema: z.enum(['on', 'off', 'anyone'], 'must be on, off, or anyone'),
    default: 'off',
    unit: 'on | off | anyone',
    meaning:
      'Whether a public service may send callbacks to private networks: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, ' +
      'and fc00::/7, but not to loopback or this service. It closes registration; only "anyone" allows RAINBELL_REGISTRATION=open beside it.',
  },
  registration: {
    environment: 'RAINBELL_REGISTRATION',
    schema: z.enum(['open', 'closed'], 'must be open or closed').optional(),
    unit: 'open | closed',
    meaning:
      'Whether everyone can create an account on the website. If closed, only the operator creates accounts. ' +
      'Default: open, except on a public service that may send callbacks to private hosts.',
  },
  trustedProxies: {
    environment: 'RAINBELL_TRUSTED_PROXIES',
    schema: list.refine((entries) => entries.every(isAddressRange), 'must be addresses or ranges like 10.0.0.0/8'),
    default: '',
    unit: 'addresses, ranges',
    meaning:
      'Reverse proxies in front of the service, whose X-Forwarded-For header identifies the client for per-address limits. ' +
      'Default: none; the header is ignored. With one, the service is public.',
  },
  accessLog: {
    environment: 'RAINBELL_ACCESS_LOG',
    schema: z.enum(['on', 'off'], 'must be on or off'),
    default: 'off',
    unit: 'on | off',
    meaning:
      'Whether to log each request: its ID, method, route, status, and duration, but no addresses, paths, or queries.',
  },
  metricsAddress: {
    environment: 'RAINBELL_METRICS_ADDRESS',
    schema: z
      .string()
      .regex(/^(\[[0-9a-f:.]+\]|[^:[\]\s]+):\d{1,5}$/i, 'must be an address like 127.0.0.1:9464')
      .optional(),
    unit: 'host:port',
    meaning: 'A separate address that serves /metrics in OpenMetrics format. Default: none.',
  },
  logLevel: {
    environment: 'RAINBELL_LOG_LEVEL',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error, or silent'),
    default: 'info',
    unit: 'debug | info | warn | error | silent',
    meaning: 'How much the service writes to its log (stderr).',
  },
  secretKey: {
    environment: 'RAINBELL_SECRET_KEY',
    isSecret: true,
    schema: keys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'The first key encrypts webhook secrets and callback passwords in the database; the others only decrypt data that was encrypted with them. ' +
      'All processes that share a PostgreSQL database must use the same keys. ' +
      'Default: a key file next to the SQLite database; no encryption in PostgreSQL.',
  },
  webhookSigningKey: {
    environment: 'RAINBELL_WEBHOOK_SIGNING_KEY',
    isSecret: true,
    schema: signingKeys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'Keys for v1a signatures (Ed25519), newest first, each whsk_ followed by 32 bytes in base64. With keys, every callback is signed with all of them, too, and anyone can verify it with /.well-known/webhook-keys.json. All ' +
      'processes that share a PostgreSQL database must use the same keys. Default: none.',
  },
  smtpUrl: {
    environment: 'RAINBELL_SMTP_URL',
    isSecret: true,
    schema: urlLike('smtp://user:password@mail.example.org:587', /^smtps?:\/\//).optional(),
    unit: 'URL',
    meaning:
      'The mail server that sends emails. Default: none; emails stay in the outbox (npm run operator -- outbox list).',
  },
  mailFrom: {
    environment: 'RAINBELL_MAIL_FROM',
    schema: z.string().min(3, 'must be an email address'),
    default: 'Rainbell <no-reply@rainbell.invalid>',
    unit: 'email address',
    meaning: 'The sender address for emails.',
  },
  operatorEmail: {
    environment: 'RAINBELL_OPERATOR_EMAIL',
    schema: z.string().min(3, 'must be an email address'),
    default: 'operator@rainbell.invalid',
    unit: 'email address',
    meaning: 'Where contact messages, thanks, and requests for the launch notice go.',
  },
} as const satisfies Record<string, SettingRow>;

/** What `--home` sets unless a flag or the environment does. */
export const homeDefaults: Readonly<Record<string, string>> = {
  host: '0.0.0.0',
  callbackLan: 'on',
  registration: 'closed',
};

/** Monitors, requests per minute, and requests per day of an application; 0 requests means no limit. */
const planLimits = (monitors: number, requestsPerMinute: number, requestsPerDay: number) =>
  [monitors, requestsPerMinute, requestsPerDay] as const;

/** What no operator needs to set; hosts and tests can change it. */
export const fixedValues = {
  /** `--home`: the website begins with a setup of the first account and monitor. */
  isHome: false,
  /** How long a start waits for a PostgreSQL server that is not reachable yet. Meanwhile, requests get 503. */
  databaseWaitSeconds: 300,
  /** Locations in one request to Open-Meteo. */
  openMeteoBatch: 100,
  /** Cells whose weather a process keeps in memory, about 20 KB each. */
  weatherMemoryCells: 5_000,
  accessTokenSeconds: 3_600,
  codeSeconds: 60,
  refreshTokenSeconds: 90 * 86_400,
  /** Further attempts to deliver an event before the monitor's cool-down ends. */
  deliveryRetries: 4,
  /** Limits one attempt: connecting, sending, and reading the response. */
  deliveryTimeoutSeconds: 15,
  /** Monitors of an application on the in-house plan, which is for the sandbox and the operator. */
  monitorLimit: 20_000,
  planDrizzle: planLimits(10, 60, 5_000),
  planShower: planLimits(200, 600, 100_000),
  planStorm: planLimits(5_000, 6_000, 2_000_000),
  /** Limits of an account, not counting applications on the in-house plan. */
  accountApplications: 10,
  accountMonitors: 10_000,
};

export type FixedValues = Readonly<typeof fixedValues>;
