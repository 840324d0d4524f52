// A random order that stays the same for the mutants that stay the same, and what a part of them says about all.
import { createHash } from 'node:crypto';
import type { Mutant } from './find-mutants.ts';

export function shuffled<Item extends Mutant>(mutants: readonly Item[], seed: string): Item[] {
  const repeats = new Map<string, number>();
  const keyed = mutants.map((mutant) => {
    const name = [mutant.file, mutant.kind, mutant.original, mutant.replacement].join('\n');
    const repeat = repeats.get(name) ?? 0;
    repeats.set(name, repeat + 1);
    return { mutant, key: createHash('sha256').update(`${seed}\n${repeat}\n${name}`).digest('hex') };
  });
  return keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ mutant }) => mutant);
}

/** Returns Wilson's score interval at 95% for a share of `all`, of which `n` were drawn. */
export function interval(part: number, n: number, all: number): [number, number] {
  if (n === 0) return [0, 1];
  if (n >= all) return [part / n, part / n];
  const z = 1.96;
  const share = part / n;
  const center = share + z ** 2 / (2 * n);
  const spread = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  const scale = 1 + z ** 2 / n;
  return [Math.max(0, (center - spread) / scale), Math.min(1, (center + spread) / scale)];
}
