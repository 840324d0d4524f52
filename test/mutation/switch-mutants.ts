// Puts all mutants of a file into its source at once, each behind a switch that a file in the copy of the project sets. So a
// mutant needs no new build, and processes and workers that a test starts have it too.
import { parseSync } from 'oxc-parser';
import type { Mutant } from './find-mutants.ts';

export type NumberedMutant = Mutant & { id: number };

/** Returns the source with the same line numbers; `folder` contains the switch. */
export function switchMutants(source: string, mutants: readonly NumberedMutant[], folder: string): string {
  if (mutants.length === 0) return source;
  const ranges = Map.groupBy(mutants, ({ start, end, kind }) => `${start}-${end}-${kind === 'statement'}`);
  const opening: Insertion[] = [];
  const closing: Insertion[] = [];
  for (const group of ranges.values()) {
    const { start, end } = group[0]!;
    const length = end - start;
    const isRemoved = group[0]!.kind === 'statement';
    const switches = isRemoved
      ? ['{', ...group.map(({ id }) => `if(!__mutant(${id})){`)]
      : ['(', ...group.map(({ id, replacement }) => `__mutant(${id})?(${flat(replacement)}):`)];
    opening.push({ at: start, length, text: switches.join('') });
    closing.push({ at: end, length, text: isRemoved ? '}}' : ')' });
  }
  // Outer ranges open first and close last.
  opening.sort((one, other) => one.at - other.at || other.length - one.length);
  closing.sort((one, other) => one.at - other.at || one.length - other.length);
  let [result, at] = ['', 0];
  for (const { at: position, text } of mergedInsertions(closing, opening)) {
    result += source.slice(at, position) + text;
    at = position;
  }
  const switched = `${result}${source.slice(at)}\n${runtime(folder)}\n`;
  const file = mutants[0]!.file;
  const [error] = parseSync(file, switched).errors;
  if (error !== undefined)
    throw new Error(`${file} with switches cannot be parsed: ${error.codeframe ?? error.message}`);
  return switched;
}

type Insertion = { at: number; length: number; text: string };

/** At one position, what ends there comes before what begins there. */
function mergedInsertions(closing: Insertion[], opening: Insertion[]): Insertion[] {
  return [
    ...closing.map((insertion) => ({ ...insertion, order: 0 })),
    ...opening.map((insertion) => ({ ...insertion, order: 1 })),
  ].toSorted((one, other) => one.at - other.at || one.order - other.order);
}

/** A replacement may not add lines, so that errors and survivors keep their line. */
const flat = (text: string): string => (/\/\/|`/.test(text) ? text : text.replaceAll(/\s*\n\s*/g, ' '));

/** Plain JavaScript, because browsers and bundles get it too; there, no mutant is on. */
function runtime(folder: string): string {
  return `function __mutant(id) { const on = (globalThis.__mutation ??= (() => {
  const state = { active: 0, calls: 0, until: 0, hit: undefined };
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (fs === undefined) return state;
  const folder = ${JSON.stringify(folder)};
  const setting = fs.readFileSync(folder + '/active', 'utf8');
  if (setting !== 'record') { state.active = Number(setting); return state; }
  const seen = new Set();
  state.hit = (hit) => {
    if (globalThis.__mutationHits !== undefined) { globalThis.__mutationHits.add(hit); return; }
    if (seen.has(hit)) return;
    seen.add(hit);
    fs.appendFileSync(folder + '/process-hits', fs.readFileSync(folder + '/current', 'utf8') + '\\t' + hit + '\\n');
  };
  return state;
})()); if (on.hit !== undefined) on.hit(id); if (on.active !== id) return false;
  if (++on.calls % 4096 === 0) {
    if (on.until === 0) on.until = performance.now() + 20000;
    else if (performance.now() > on.until) throw new Error('The mutant ran for too long');
  }
  return true;
}`;
}
