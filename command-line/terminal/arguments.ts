// A command's flags and words. Invalid input is a UsageError: one line with the flag, the rule, and, except for secrets, the value.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataFolder } from '@rainbell/shared/node';
import { latitudeSchema, type LatLng, longitudeSchema } from '@rainbell/contract/service-api';

/** Ends with exit code 2; the message is shown to the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whether the usage line of the command helps. */
  readonly isAboutUsage: boolean;

  constructor(message: string, { isAboutUsage = false, ...options }: ErrorOptions & { isAboutUsage?: boolean } = {}) {
    super(message, options);
    this.isAboutUsage = isAboutUsage;
  }
}

/** With `value`, what stands for it in the help, the flag takes a text. */
export type Option = { value?: string; words: string };
export type Options = Readonly<Record<string, Option>>;

export type ParsedArguments = ReturnType<typeof readArguments>;

/** Put before negative numbers and values such as `-is:retry` while parseArgs looks: it would take them for flags. No argument can hold it. */
const valueMark = '\0';

/** Throws UsageError, as `whole` and `choice` do. */
export function readArguments(args: readonly string[], options: Options) {
  const secret = args.find((arg) => /^--(client-|webhook-)?secret(=|$)/.test(arg));
  if (secret !== undefined) {
    throw new UsageError(
      `A secret can’t be passed as an argument, because other programs could read it. ${describeSecretSource(options)}`,
    );
  }
  const { values, positionals } = parse(args, options);
  const text = (flag: string): string | undefined =>
    typeof values[flag] === 'string' ? unmark(values[flag]) : undefined;
  return {
    text,
    whole(flag: string, min: number, max: number): number | undefined {
      const given = text(flag);
      if (given === undefined) return undefined;
      if (/^\d{1,5}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
      throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, not “${given}”.`);
    },
    choice<Choice extends string>(flag: string, choices: readonly Choice[]): Choice | undefined {
      const given = text(flag);
      const choice = choices.find((known) => known === given);
      if (choice !== undefined || given === undefined) return choice;
      throw new UsageError(`--${flag} must be one of ${choices.join(', ')}, not “${given}”.`);
    },
    isSet: (flag: string): boolean => values[flag] === true,
    words: positionals.map(unmark) as readonly string[],
  };
}

function describeSecretSource(options: Options): string {
  if (Object.hasOwn(options, 'webhook-secret-stdin'))
    return 'Set RAINBELL_WEBHOOK_SECRET, or pipe it in with --webhook-secret-stdin.';
  if (Object.hasOwn(options, 'client-secret-stdin'))
    return 'Set RAINBELL_CLIENT_SECRET, or pipe it in with --client-secret-stdin.';
  return 'This command doesn’t use a secret.';
}

function parse(args: readonly string[], options: Options) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [
      name,
      { type: value ? 'string' : 'boolean', ...(name === 'help' && { short: 'h' }) } as const,
    ]),
  );
  try {
    const isValued = (arg = '') => options[arg.slice(2)]?.value !== undefined && arg.startsWith('--');
    const marked = args.map((arg, index) =>
      /^-\.?\d/.test(arg) || (/^-[^-]./.test(arg) && isValued(args[index - 1])) ? valueMark + arg : arg,
    );
    return parseArgs({ args: marked, options: config, allowPositionals: true });
  } catch (error) {
    const words = error instanceof Error ? (/^[^.\n]*/.exec(error.message)?.[0] ?? '') : '';
    throw new UsageError(lowerFirst(words.replaceAll(valueMark, '')), { cause: error, isAboutUsage: true });
  }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function unmark(text: string): string {
  return text.startsWith(valueMark) ? text.slice(1) : text;
}

/** Throws UsageError unless there is exactly one word for each name. */
export function requireArguments(given: ParsedArguments, names: readonly string[]): readonly string[] {
  const missing = names.slice(given.words.length);
  if (missing.length > 0) throw new UsageError(`missing ${missing.join(' and ')}`, { isAboutUsage: true });
  if (given.words.length === names.length) return given.words;
  // What is too much is not repeated: it may be a secret.
  throw new UsageError('too many arguments', { isAboutUsage: true });
}

export function readPlace(given: ParsedArguments): LatLng {
  const [lat = '', lng = ''] = given.words;
  return { lat: readDegrees('LAT', lat, latitudeSchema, 90), lng: readDegrees('LNG', lng, longitudeSchema, 180) };
}

/** `--location LAT,LNG`. Throws UsageError. */
export function readLocation(given: ParsedArguments): LatLng {
  const text = given.text('location') ?? '';
  const [lat = '', lng = '', ...more] = text.split(',').map((part) => part.trim());
  if (more.length > 0 || lng === '') {
    throw new UsageError(`--location must be latitude and longitude in degrees, such as 45.07,7.69, not “${text}”.`);
  }
  return {
    lat: readDegrees('The latitude of --location', lat, latitudeSchema, 90),
    lng: readDegrees('The longitude of --location', lng, longitudeSchema, 180),
  };
}

function readDegrees(name: string, text: string, schema: typeof latitudeSchema, limit: number): number {
  const degrees = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? schema.safeParse(Number(text)) : undefined;
  if (degrees?.success) return degrees.data;
  throw new UsageError(`${name} must be decimal degrees from -${limit} to ${limit}, not “${text}”.`);
}

/** 0 takes any free port. */
export function readPort(given: ParsedArguments): number | undefined {
  return given.whole('port', 0, 65_535);
}

export function readDataFolder(given: ParsedArguments): string {
  const text = given.text('data');
  if (text === '') throw new UsageError('--data must name a folder.');
  if (text !== undefined) return resolve(text);
  try {
    return defaultDataFolder();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
