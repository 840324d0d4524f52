// The service's configuration: flags and environment, read once, validated by zod; errors name the setting. A flag overrides the
// environment. See settings.ts for the table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isLoopback, notUnicode, readText } from '@rainbell/shared';
import { defaultDataFolder, explainStorageError } from '@rainbell/shared/node';
import type { DatabaseLocation } from '../database/open-database.ts';
import type { SettingValues } from './setting-row.ts';
import { type FixedValues, fixedValues, homeDefaults, settings } from './settings.ts';
import { StartError } from '../errors/start-error.ts';

type Settings = typeof settings;
type Values = SettingValues<Settings>;

/** Parsed settings; units are in settings.ts. `dataFolder` is always set. */
export type Config = Omit<Values, 'dataFolder'> & FixedValues & { readonly dataFolder: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parsed command line. `json`: print one line for programs when ready. */
export type Invocation =
  | { kind: 'help'; text: string }
  | { kind: 'run'; config: Config; json: boolean }
  | { kind: 'migrate'; config: Config };

const rows = Object.entries(settings) as [keyof Settings, Settings[keyof Settings]][];

/** Throws a StartError of kind `settings` with the invalid setting. */
export function readInvocation(
  args: readonly string[],
  environment: Environment,
  program = 'npm run service --',
): Invocation {
  const { flags, command } = readFlags(args);
  if (flags['help'] === true) return { kind: 'help', text: helpText(program) };
  const config = readConfig(flags, environment);
  return command === 'migrate' ? { kind: 'migrate', config } : { kind: 'run', config, json: flags['json'] === true };
}

/** Returns the defaults with changes: for hosts and tests without a command line. */
export function configWith(changes: Partial<Config>): Config {
  return { ...readConfig({}, {}), ...changes };
}

export function databaseLocation(
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'databaseWaitSeconds' | 'migrations' | 'dataFolder'>,
): DatabaseLocation {
  if (config.databaseUrl === undefined) return { file: join(serviceFolder(config), 'service.sqlite') };
  return {
    url: config.databaseUrl,
    connections: config.databaseConnections,
    waitMs: config.databaseWaitSeconds * 1000,
    migratesApart: config.migrations === 'apart',
  };
}

/** Files whose damage reports concern this service; none with PostgreSQL, which has its own. */
export function reportedDatabases(config: Config): string[] {
  const location = databaseLocation(config);
  return 'file' in location ? [location.file] : [];
}

/** Whether only this computer uses the service: then it has a sandbox, no limit of test events, and calls private addresses. */
export function isLocalService({ host, publicUrl = 'http://localhost', trustedProxies }: Config): boolean {
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname) && trustedProxies.length === 0;
}

/** Whether everyone may create an account. An account can make the service send requests to all hosts that it may reach. */
export function isRegistrationOpen(config: Config): boolean {
  if (config.registration !== undefined) return config.registration === 'open';
  return isLocalService(config) || (config.callbackAllowlist.length === 0 && config.callbackLan === 'off');
}

export function serviceFolder({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'service');
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;

function readFlags(args: readonly string[]): { flags: Flags; command: string | undefined } {
  const valued = rows.flatMap(([, row]) =>
    'flag' in row ? [[row.flag, { type: 'isSwitch' in row ? 'boolean' : 'string' }] as const] : [],
  );
  const [json, home, help] = [{ type: 'boolean' }, { type: 'boolean' }, { type: 'boolean', short: 'h' }] as const;
  const options = { ...Object.fromEntries(valued), json, home, help } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const [command, ...more] = positionals;
    const unknown = command === undefined || command === 'migrate' ? more[0] : command;
    if (unknown !== undefined && values['help'] !== true) throw new Error(`Unexpected argument '${unknown}'`);
    return { flags: values, command };
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '').replaceAll('\n', ' ') : '';
    throw new StartError('settings', `${words.replace(/\.$/, '')}. Run with --help to see every setting.`, {
      cause: error,
    });
  }
}

function readConfig(flags: Flags, environment: Environment): Config {
  const isHome = flags['home'] === true;
  const values = Object.fromEntries(
    rows.map(([name, row]) => [name, readSetting(row, flags, environment, isHome ? homeDefaults[name] : undefined)]),
  ) as Values;
  return { ...fixedValues, ...values, isHome, dataFolder: values.dataFolder ?? defaultDataFolder() };
}

function readSetting(
  row: Settings[keyof Settings],
  flags: Flags,
  environment: Environment,
  preset: string | undefined,
): unknown {
  const set = 'flag' in row ? flags[row.flag] : undefined;
  const flag = set === true ? 'on' : set;
  // An empty environment variable counts as absent, because shells and containers cannot always unset one.
  const given =
    typeof flag === 'string' ? flag : (readSecretFile(row, environment) ?? environment[row.environment]) || undefined;
  const source = typeof flag === 'string' && 'flag' in row ? `--${row.flag}` : row.environment;
  const parsed = row.schema.safeParse(given ?? preset ?? ('default' in row ? row.default : undefined));
  if (parsed.success) return parsed.data;
  const rule = parsed.error.issues[0]?.message ?? 'is not valid';
  const shown = isSecret(row) ? '' : ` It was "${given ?? ''}".`;
  throw new StartError(
    'settings',
    `${source} ${rule.replace(/\.$/, '')}.${shown} Run with --help to see every setting.`,
  );
}

function isSecret(row: Settings[keyof Settings]): boolean {
  return 'isSecret' in row;
}

/** Returns the trimmed contents of the file in `NAME_FILE`; undefined without that variable. */
function readSecretFile(row: Settings[keyof Settings], environment: Environment): string | undefined {
  const name = `${row.environment}_FILE`;
  const file = isSecret(row) ? environment[name] || undefined : undefined;
  if (file === undefined) return undefined;
  if (environment[row.environment]) {
    throw new StartError('settings', `${name} and ${row.environment} are both set. Leave one of them out.`);
  }
  try {
    const { text, isAnsi } = readText(readFileSync(file));
    if (isAnsi) throw new StartError('settings', `${name}: ${file} ${notUnicode}`);
    if (text.trim() !== '') return text.trim();
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { phrase, remedy } = explainStorageError(error, file);
    throw new StartError('settings', `${name}: ${file} cannot be read (${phrase}). ${remedy}.`, { cause: error });
  }
  throw new StartError('settings', `${name}: ${file} is empty. Write the value into it.`);
}

function helpText(program: string): string {
  const lines = rows.map(([, row]) => {
    const names = [
      ...('flag' in row ? [`--${row.flag}${'isSwitch' in row ? '' : ' VALUE'}`] : []),
      row.environment,
      ...(isSecret(row) ? [`${row.environment}_FILE`] : []),
    ];
    const sentences = [row.meaning, ...('default' in row && row.default !== '' ? [`Default: ${row.default}.`] : [])];
    return `  ${names.join(', ')} (${row.unit})\n      ${sentences.join(' ')}`;
  });
  return [
    `Usage: ${program} [migrate] [OPTIONS]`,
    '',
    'Start the Rainbell weather service',
    '',
    'Commands:',
    '  migrate  update the database and exit, for RAINBELL_MIGRATIONS=apart',
    '',
    'Options:',
    '  --json\n      When ready, print one line of JSON to stdout: baseUrl, authUrl, and the sandbox credentials (null if the service is public). Logs go to stderr.',
    '  --home\n      Run the service for a home or a small team: --host 0.0.0.0, --allow-lan, and RAINBELL_REGISTRATION=closed, unless set otherwise. The first start prints a link that creates the account and the first monitor.',
    '  --help\n      Print this help.',
    '',
    'Settings:',
    'A flag overrides its environment variable. For secrets that must not appear in arguments or in the environment,',
    'set NAME_FILE to the path of a file that contains the value.',
    '',
    ...lines,
    '',
    'Examples:',
    `  ${program} --home`,
    `  ${program} --port 9000 --provider simulation`,
    `  ${program} --host 0.0.0.0 --database postgres://user:password@host:5432/name`,
    '',
    'Exit codes:',
    '  0  stopped, or the database is up to date (migrate)',
    '  1  the service could not start',
    '  2  invalid arguments or settings',
    '',
  ].join('\n');
}
