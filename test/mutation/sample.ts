// A random order that stays the same for the mutants that stay the same.
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
