// The service's configuration: flags and environment, read once, checked by zod, refused with a sentence that names the
// setting. A flag wins over the environment. See settings.ts for the table.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import envPaths from 'env-paths';
import type { z } from 'zod';
import type { DatabaseLocation } from '#service/database/open-database.ts';
import { settings } from './settings.ts';
import { StartError } from '#service/errors/start-error.ts';

type Settings = typeof settings;
type Values = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> };

/** Parsed settings; units stand in settings.ts. `dataFolder` is always given. */
export type Config = Omit<Values, 'dataFolder'> & { readonly dataFolder: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line asks for. `json`: print one line for programs when ready. */
export type Invocation = { kind: 'help'; text: string } | { kind: 'run'; config: Config; json: boolean };

const rows = Object.entries(settings) as [keyof Settings, Settings[keyof Settings]][];

/** Throws a StartError of kind `settings` that names what is wrong. */
export function readInvocation(args: readonly string[], environment: Environment): Invocation {
  const flags = readFlags(args);
  if (flags['help'] === true) return { kind: 'help', text: helpText() };
  return { kind: 'run', config: readConfig(flags, environment), json: flags['json'] === true };
}

/** A configuration of defaults, with what the caller knows better: for hosts and tests that have no command line. */
export function configWith(changes: Partial<Config>): Config {
  return { ...readConfig({}, {}), ...changes };
}

/** Where this configuration keeps its database. */
export function databaseLocation(
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'databaseWaitSeconds' | 'dataFolder'>,
): DatabaseLocation {
  if (config.databaseUrl === undefined) return { file: join(serviceFolder(config), 'service.sqlite') };
  return {
    url: config.databaseUrl,
    connections: config.databaseConnections,
    waitMs: config.databaseWaitSeconds * 1000,
  };
}

/** Files whose damage reports concern this service; none with PostgreSQL, which has its own. */
export function reportedDatabases(config: Config): string[] {
  const location = databaseLocation(config);
  return 'file' in location ? [location.file] : [];
}

/** The service's own part of the data folder. */
export function serviceFolder({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'service');
}

function readFlags(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const valued = rows.flatMap(([, row]) => ('flag' in row ? [[row.flag, { type: 'string' }] as const] : []));
  const options = { ...Object.fromEntries(valued), json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new StartError('settings', `${words.replace(/\.$/, '')}. Run with --help to see every setting.`, {
      cause: error,
    });
  }
}

function readConfig(flags: Readonly<Record<string, string | boolean | undefined>>, environment: Environment): Config {
  const values = Object.fromEntries(rows.map(([name, row]) => [name, readSetting(row, flags, environment)])) as Values;
  return { ...values, dataFolder: values.dataFolder ?? envPaths('rainbell', { suffix: '' }).data };
}

function readSetting(
  row: Settings[keyof Settings],
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: Environment,
): unknown {
  const flag = 'flag' in row ? flags[row.flag] : undefined;
  // An empty environment variable counts as absent, since shells and containers cannot always unset one.
  const given = typeof flag === 'string' ? flag : environment[row.environment] || undefined;
  const source = typeof flag === 'string' && 'flag' in row ? `--${row.flag}` : row.environment;
  const parsed = row.schema.safeParse(given ?? ('default' in row ? row.default : undefined));
  if (parsed.success) return parsed.data;
  const rule = parsed.error.issues[0]?.message ?? 'is not valid';
  const isSecret = row === settings.databaseUrl || row === settings.smtpUrl || row === settings.secretKey;
  const shown = isSecret ? '' : ` It was "${given ?? ''}".`;
  throw new StartError(
    'settings',
    `${source} ${rule.replace(/\.$/, '')}.${shown} Run with --help to see every setting.`,
  );
}

function helpText(): string {
  const lines = rows.map(([, row]) => {
    const names = 'flag' in row ? `--${row.flag} VALUE, ${row.environment}` : row.environment;
    const fallback = 'default' in row && row.default !== '' ? ` Default: ${row.default}.` : '';
    return `  ${names} (${row.unit})\n      ${row.meaning}${fallback}`;
  });
  return [
    'The Rainbell weather service.',
    '',
    'npm run service -- [flags]',
    '',
    '  --json\n      When ready, print one JSON line to stdout: baseUrl, authUrl and the sandbox credentials. Logs go to stderr.',
    '  --help\n      Print this.',
    '',
    'Settings: a flag wins over the environment variable.',
    '',
    ...lines,
    '',
  ].join('\n');
}
