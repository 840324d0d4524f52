// `npm run mutate -- [paths…]`: puts small faults into the sources of a copy, and reports those that no test notices. See CONTRIBUTING.md.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import { findMutants } from './find-mutants.ts';
import { plant } from './plant.ts';
import { relatedTests } from './related-tests.ts';
import { shuffled } from './sample.ts';

const usage = `Usage: npm run mutate -- [PATH]… [OPTIONS]

Put small faults into a copy of the sources, and report those that no test notices

Options:
  --count N      faults for each path (default: 20)
  --tests N      tests to run for each fault: those that import its file most directly (default: 8)
  --seed TEXT    seed of the order of faults (default: 1)
  --root FOLDER  another project with a vitest.config.ts
  -h, --help     print this help

Paths: service core renderer electron, unless given`;

const { values, positionals } = readToolOptions(
  usage,
  {
    count: { type: 'string', default: '20' },
    tests: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
  },
  { allowPositionals: true },
);
const [count, most] = [Number(values.count), Number(values.tests)];
if (!(count > 0) || !(most > 0)) failWithUsage(usage, '--count and --tests must be positive numbers');
const root = resolve(values.root);

function sourcesOf(path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return failWithUsage(usage, `${path} is not a path`);
  if (!found.isDirectory()) return [path];
  return globSync(`${path}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.d\.ts$|tables\.ts$|\/migrations/.test(file));
}

const paths = positionals.length === 0 ? ['service', 'core', 'renderer', 'electron'] : positionals;
const testsOf = relatedTests(root, most);
const faults = paths.flatMap((path) => {
  const all = sourcesOf(path).flatMap((file) => findMutants(file, readFileSync(join(root, file), 'utf8')));
  return shuffled(all, values.seed)
    .slice(0, count)
    .map((mutant) => ({ ...mutant, tests: testsOf(mutant.file) }));
});
const noticed = await plant(root, faults, (line) => console.log(line));
console.log(`${noticed} of ${faults.length} faults noticed`);
