// `npm run verify -- --policy A --policy B`: how often policies would have been right on recorded weather (docs/verification.md).
// Results go to stdout. Exit code 2 for invalid arguments, 1 if the archive can't be read or has nothing to compare.
import { parseArgs } from 'node:util';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import { describeFailure, StartError } from '../errors/start-error.ts';
import { formatPolicy, readPolicy, standardPolicy } from '../watch/policy.ts';
import { readArchive } from './archive-reader.ts';
import { comparePolicies } from './compare-policies.ts';
import { formatReport, type PolicyResult } from './format-report.ts';
import { replay, defaultRules } from './replay.ts';

const usage = `Usage: npm run verify -- --archive PATH [--policy POLICY]… [OPTIONS]

Check one policy, or compare two, against recorded weather

Options:
  --archive PATH   folder recorded with RAINBELL_RECORD, or one of its files (default: RAINBELL_RECORD)
  --policy POLICY  name of a built-in policy, or a JSON file; use it twice to compare (default: standard)
  --from TIME      only data from this time on, such as 2026-11-21 or 2026-11-21T06:00:00Z
  --until TIME     only data up to this time
  --minutes N      how long after an event an observation counts, in minutes, 15 to 180 (default: 60)
  --distance KM    maximum distance to an observation, 1 to 50 (default: 16)
  --seed TEXT      seed for the random samples (default: rainbell)
  --json           print JSON
  --help           print this help

Examples:
  npm run verify -- --archive recorded
  npm run verify -- --archive recorded --policy standard --policy my-policy.json

Exit codes:
  0  success
  1  the archive can't be read, or has no data to compare
  2  invalid arguments
`;

type Flags = Readonly<Record<string, string | boolean | undefined | readonly (string | boolean)[]>>;

async function run(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  if (flags['help'] === true) return void process.stdout.write(usage);
  const path = textOf(flags, 'archive') ?? process.env['RAINBELL_RECORD'];
  if (!path) throw new StartError('settings', 'missing --archive PATH');
  const names = (flags['policy'] ?? [formatPolicy(standardPolicy).split('/')[0] ?? '']) as readonly string[];
  if (names.length > 2) throw new StartError('settings', '--policy can be given at most twice');
  const policies = names.map(readPolicy);
  const rules = {
    ...defaultRules,
    windowMs: numberOf(flags, 'minutes', { min: 15, max: 180, fallback: 60 }) * 60_000,
    distanceKm: numberOf(flags, 'distance', { min: 1, max: 50, fallback: defaultRules.distanceKm }),
  };
  const [from, until] = [instantOf(flags, 'from'), instantOf(flags, 'until')];
  const archive = await readArchive(path, {
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  });
  if (archive.forecasts.size === 0) throw new Error(`${path} has no forecasts that can be replayed.`);
  const results: PolicyResult[] = [];
  for (const policy of policies) results.push({ policy, places: await replay(archive, policy, rules) });
  const [first, second] = results;
  const seed = textOf(flags, 'seed') ?? 'rainbell';
  const comparison = first && second ? comparePolicies(first.places, second.places, seed) : undefined;
  process.stdout.write(formatReport({ path, archive, results, comparison }, flags['json'] === true));
}

function readFlags(args: readonly string[]): Flags {
  const value = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        archive: value,
        policy: { ...value, multiple: true },
        from: value,
        until: value,
        minutes: value,
        distance: value,
        seed: value,
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new StartError('settings', cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : '', { cause });
  }
}

function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

type Range = { min: number; max: number; fallback: number };

function numberOf(flags: Flags, name: string, { min, max, fallback }: Range): number {
  const text = textOf(flags, name);
  const value = text === undefined ? fallback : Number(text);
  if (value >= min && value <= max) return value;
  throw new StartError('settings', `--${name} must be a number from ${min} to ${max}`);
}

function instantOf(flags: Flags, name: string): number | undefined {
  const text = textOf(flags, name);
  if (text === undefined) return undefined;
  const instant = parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (instant !== undefined) return instant;
  throw new StartError('settings', `--${name} must be a time like 2026-11-21T06:00:00Z`);
}

try {
  await run();
} catch (error) {
  const isUsage = error instanceof StartError && error.kind === 'settings';
  process.stderr.write(
    isUsage
      ? `error: ${error.message}\nRun with --help to see every option.\n`
      : `error: ${describeFailure(error, 'Verification failed')}\n`,
  );
  process.exitCode = isUsage ? 2 : 1;
}
