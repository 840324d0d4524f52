// Policies of the sweep (docs/verification.md): which precipitation causes an event, as data with a name and a version, so that two
// can be compared on the same recorded weather (service/verification/main.ts) and each event records its policy.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { systemCode } from '#shared/errors/system-code.ts';
import { StartError } from '#service/errors/start-error.ts';

/** Sources that can show precipitation: an airport's report, radar, and a provider's forecast. */
const policySources = ['observation', 'radar', 'forecast'] as const;

const policySchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,39}$/,
      'must start with a letter and contain only a-z, 0-9, and - (at most 40 characters)',
    ),
  /** Any change of a value below needs a new version. */
  version: z.int().min(1).max(1_000_000),
  description: z.string().max(500).optional(),
  /** Maximum distance between precipitation and a monitored place. */
  radiusKm: z.number().min(0).max(100),
  /** How far ahead forecast precipitation counts. */
  aheadMinutes: z.number().min(0).max(60),
  /** Precipitation must exceed this. */
  leastMmPerHour: z.number().min(0).max(50),
  /**
   * Order of precedence: the first source with data decides, and omitted ones never do. A dry airport within the radius decides
   * nothing, because it may rain at the place.
   */
  sources: z
    .array(z.enum(policySources))
    .min(1)
    .max(policySources.length)
    .refine((names) => new Set(names).size === names.length, 'must not name a source more than once'),
  /** Whether known forecasts of cells within the radius are used too. */
  neighbors: z.boolean(),
});

export type SweepPolicy = Readonly<z.infer<typeof policySchema>>;

export const standardPolicy: SweepPolicy = {
  name: 'standard',
  version: 1,
  description: 'Precipitation within 10 km, now or in the next 15 minutes.',
  radiusKm: 10,
  aheadMinutes: 15,
  leastMmPerHour: 0.1,
  sources: ['observation', 'radar', 'forecast'],
  neighbors: true,
};

const builtIn: readonly SweepPolicy[] = [
  standardPolicy,
  {
    ...standardPolicy,
    name: 'forecast-only',
    description: 'Only the forecast for the location itself.',
    sources: ['forecast'],
    neighbors: false,
  },
  {
    ...standardPolicy,
    name: 'early',
    description: 'Precipitation within 10 km, now or in the next 30 minutes.',
    aheadMinutes: 30,
  },
  {
    ...standardPolicy,
    name: 'sure',
    description: 'Precipitation of more than 0.5 mm/h within 10 km, now or in the next 15 minutes.',
    leastMmPerHour: 0.5,
  },
];

/** Names of the built-in policies. */
export const policyNames: readonly string[] = builtIn.map(({ name }) => name);

const maxBytes = 16_384;

/** Returns a built-in policy by name, or the one in a JSON file. Throws a StartError of kind `settings` with the error. */
export function readPolicy(nameOrFile: string): SweepPolicy {
  const known = builtIn.find(({ name }) => name === nameOrFile);
  if (known) return known;
  const parsed = policySchema.safeParse(readJson(nameOrFile));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.');
  const message = issue?.message ?? 'invalid';
  throw refusal(nameOrFile, field ? `its field "${field}" is not valid (${message})` : message);
}

function readJson(file: string): unknown {
  try {
    if (statSync(file).size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT';
    const message = error instanceof Error ? error.message : String(error);
    throw refusal(file, isMissing ? 'it is neither a file nor a built-in policy' : message, error);
  }
}

function refusal(nameOrFile: string, reason: string, cause?: unknown): StartError {
  const remedy = `Use ${policyNames.join(', ')}, or a JSON file as described in docs/verification.md.`;
  return new StartError('settings', `The policy "${nameOrFile}" can't be used: ${reason}. ${remedy}`, { cause });
}

/** Returns the policy with another radius, if one is set, and a name that shows it. */
export function withRadius(policy: SweepPolicy, radiusKm: number | undefined): SweepPolicy {
  if (radiusKm === undefined || radiusKm === policy.radiusKm) return policy;
  return { ...policy, name: `${policy.name}-${radiusKm}km`, radiusKm };
}

/** `standard/1`, as stored with each event. */
export function formatPolicy({ name, version }: Pick<SweepPolicy, 'name' | 'version'>): string {
  return `${name}/${version}`;
}
