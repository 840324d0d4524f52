// Every setting of the service: one row each, with its unit, its default and its meaning. Flags and environment variables
// are read by config.ts from this table, and `--help` prints it, so nothing can be set that is not described here.
import { z } from 'zod';
import { isAddressRange } from '#shared/network/callback-address.ts';
import { providerChoices } from '#contract/service-api/sandbox.ts';
import { accountSettings } from './account-settings.ts';

function whole(least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(least, `must be a whole number from ${least} to ${most}`)
        .max(most, `must be a whole number from ${least} to ${most}`),
    );
}

const decimal = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `must be a number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

const text = z.string().min(1, 'must not be empty');
const optionalText = text.optional();
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((address) => address.replace(/\/+$/, ''));
const instant = z.iso
  .datetime({ offset: true, error: 'must be an instant like 2026-11-21T06:00:00Z' })
  .or(z.iso.datetime({ local: true }).transform((local) => `${local}Z`));
const list = z.string().transform((words) => words.split(/[\s,]+/).filter((word) => word !== ''));
const aYear = 31_536_000;

type Row = {
  /** Command-line flag without the dashes; settings without one come from the environment only. */
  flag?: string;
  environment: string;
  schema: z.ZodType<unknown, string | undefined>;
  default?: string;
  unit: string;
  meaning: string;
};

export const settings = {
  port: {
    flag: 'port',
    environment: 'RAINBELL_PORT',
    schema: whole(0, 65_535),
    default: '8420',
    unit: 'port',
    meaning: 'Where the service listens; 0 takes a free one.',
  },
  host: {
    flag: 'host',
    environment: 'RAINBELL_HOST',
    schema: text,
    default: '127.0.0.1',
    unit: 'address',
    meaning: 'The network address to listen on. Beyond loopback, callbacks to private networks are refused.',
  },
  dataFolder: {
    flag: 'data',
    environment: 'RAINBELL_DATA',
    schema: optionalText,
    unit: 'folder',
    meaning:
      "Where everything is kept; the service's part is the folder service/ in it. Default: the user's data folder.",
  },
  databaseUrl: {
    flag: 'database',
    environment: 'RAINBELL_DATABASE',
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be an address like postgres://user:password@host:5432/name')
      .refine((address) => URL.canParse(address), 'must be an address like postgres://user:password@host:5432/name')
      .optional(),
    unit: 'address',
    meaning: 'A PostgreSQL database instead of the SQLite file in the data folder.',
  },
  databaseConnections: {
    environment: 'RAINBELL_DATABASE_CONNECTIONS',
    schema: whole(2, 1_000),
    default: '10',
    unit: 'count',
    meaning: 'The most connections that this process opens to PostgreSQL.',
  },
  databaseWaitSeconds: {
    environment: 'RAINBELL_DATABASE_WAIT_SECONDS',
    schema: whole(0, 86_400),
    default: '300',
    unit: 'seconds',
    meaning: 'How long a start waits for a PostgreSQL server that cannot be reached yet. Requests get 503 meanwhile.',
  },
  provider: {
    flag: 'provider',
    environment: 'RAINBELL_PROVIDER',
    schema: z.enum(providerChoices, `must be one of ${providerChoices.join(', ')}`),
    default: 'auto',
    unit: providerChoices.join(' | '),
    meaning: 'Where weather comes from; auto is live when reachable, else stored, else simulated.',
  },
  clockStart: {
    flag: 'clock',
    environment: 'RAINBELL_CLOCK',
    schema: instant.optional(),
    unit: 'ISO 8601',
    meaning: 'The instant at which the clock starts; it ticks on from there. Default: the real time.',
  },
  publicUrl: {
    environment: 'RAINBELL_PUBLIC_URL',
    schema: webAddress.optional(),
    unit: 'address',
    meaning: 'The base address that clients use, where it differs from host and port (behind a proxy).',
  },
  callbackCaFile: {
    environment: 'RAINBELL_CALLBACK_CA_FILE',
    schema: optionalText,
    unit: 'file (PEM)',
    meaning: 'Certificates that callbacks trust besides the system’s. Default: none.',
  },
  callbackProxyUrl: {
    environment: 'RAINBELL_CALLBACK_PROXY_URL',
    schema: webAddress.optional(),
    unit: 'address',
    meaning: 'The proxy that callbacks go through, but for those to this machine. Default: none.',
  },
  openMeteoUrl: {
    environment: 'RAINBELL_OPEN_METEO_URL',
    schema: webAddress,
    default: 'https://api.open-meteo.com',
    unit: 'address',
    meaning: 'The Open-Meteo server.',
  },
  openMeteoApiKey: {
    environment: 'RAINBELL_OPEN_METEO_API_KEY',
    schema: optionalText,
    unit: 'text',
    meaning: 'Key of a paid Open-Meteo plan. Default: none, for the free host.',
  },
  metNorwayUrl: {
    environment: 'RAINBELL_MET_NORWAY_URL',
    schema: webAddress,
    default: 'https://api.met.no',
    unit: 'address',
    meaning: 'The server of MET Norway.',
  },
  metNorwayContact: {
    environment: 'RAINBELL_MET_NORWAY_CONTACT',
    // It travels in a header.
    schema: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'must be a mail or web address in plain ASCII')
      .optional(),
    unit: 'mail or web address',
    meaning: 'Whom MET Norway may write to; without it that provider stays off, since they demand it.',
  },
  metarUrl: {
    environment: 'RAINBELL_METAR_URL',
    schema: webAddress,
    default: 'https://aviationweather.gov',
    unit: 'address',
    meaning: 'The server for airport observations.',
  },
  accessTokenSeconds: {
    environment: 'RAINBELL_ACCESS_TOKEN_SECONDS',
    schema: whole(1, aYear),
    default: '3600',
    unit: 'seconds',
    meaning: 'Lifetime of an access token (expires_in).',
  },
  codeSeconds: {
    environment: 'RAINBELL_CODE_SECONDS',
    schema: whole(1, 3600),
    default: '60',
    unit: 'seconds',
    meaning: 'Lifetime of an authorization code.',
  },
  refreshTokenSeconds: {
    environment: 'RAINBELL_REFRESH_TOKEN_SECONDS',
    schema: whole(1, 10 * aYear),
    default: '7776000',
    unit: 'seconds',
    meaning: 'Lifetime of a refresh token (90 days).',
  },
  issuerParameter: {
    environment: 'RAINBELL_OAUTH_ISS',
    schema: z.enum(['on', 'off'], 'must be on or off'),
    default: 'on',
    unit: 'on | off',
    meaning:
      'Name this service as iss in authorization responses and say so in the metadata (RFC 9207). ' +
      'Turn it off only for a client that rejects unknown parameters.',
  },
  triggerRadiusKm: {
    environment: 'RAINBELL_TRIGGER_RADIUS_KM',
    schema: decimal(0, 100),
    default: '10',
    unit: 'km',
    meaning: 'How near precipitation must be to a monitor.',
  },
  sweepSeconds: {
    environment: 'RAINBELL_SWEEP_SECONDS',
    schema: whole(5, 3600),
    default: '60',
    unit: 'seconds',
    meaning: 'Pause between two looks at the weather of all monitors.',
  },
  deliveryRetries: {
    environment: 'RAINBELL_DELIVERY_RETRIES',
    schema: whole(0, 4),
    default: '4',
    unit: 'count',
    meaning: 'Further attempts to deliver one event inside its hour; 0 is the literal "one POST per hour".',
  },
  deliveryTimeoutSeconds: {
    environment: 'RAINBELL_DELIVERY_TIMEOUT_SECONDS',
    schema: decimal(0.1, 60),
    default: '15',
    unit: 'seconds',
    meaning: 'Limit of one delivery attempt in all: connecting, sending, and reading the answer.',
  },
  callbackAllowlist: {
    environment: 'RAINBELL_CALLBACK_ALLOWLIST',
    schema: list,
    default: '',
    unit: 'hosts, addresses, ranges',
    meaning: 'Private callback hosts that a service bound beyond loopback may call, e.g. "hooks.lan, 10.1.0.0/16".',
  },
  trustedProxies: {
    environment: 'RAINBELL_TRUSTED_PROXIES',
    schema: list.refine((entries) => entries.every(isAddressRange), 'must be addresses or ranges like 10.0.0.0/8'),
    default: '',
    unit: 'addresses, ranges',
    meaning:
      'Reverse proxies in front of the service, whose X-Forwarded-For names the client; limits per address count by it. ' +
      'Default: none, the header is not believed.',
  },
  sandboxControl: {
    environment: 'RAINBELL_SANDBOX_CONTROL',
    schema: z.enum(['auto', 'on', 'off']),
    default: 'auto',
    unit: 'auto | on | off',
    meaning: 'The /sandbox/ routes (rain here, clock, provider); auto: only where the service listens on loopback.',
  },
  monitorLimit: {
    environment: 'RAINBELL_MONITOR_LIMIT',
    schema: whole(0, 10_000_000),
    default: '10000',
    unit: 'count',
    meaning: 'Monitors of an application on the in-house plan, which the sandbox and the operator have.',
  },
  logLevel: {
    environment: 'RAINBELL_LOG_LEVEL',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    default: 'info',
    unit: 'debug | info | warn | error | silent',
    meaning: 'How much is written to the log (stderr).',
  },
  ...accountSettings,
} as const satisfies Record<string, Row>;
