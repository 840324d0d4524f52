// `npm run mutate -- [areas or paths…]`: puts small faults into the sources, one at a time, and reports those that no test notices.
// See CONTRIBUTING.md.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import { accepted } from './accepted.ts';
import { type Area, areas } from './areas.ts';
import { type MutationResult, place, runMutants } from './mutation-run.ts';
import { importsOf, relatedTests } from './related-tests.ts';
import { scoreOf, updateScores } from './scores.ts';

const usage = `Usage: npm run mutate -- [AREA | PATH]… [OPTIONS]

Put small faults into the sources, one at a time, and report those that no test notices

Options:
  --minutes N    time for each area, without the first run of its tests (default: 10)
  --count N      maximum number of mutants for each area (default: no limit)
  --seed TEXT    seed of the order of mutants (default: 1)
  --tests GLOB   tests to run (default: those of the area; for other paths, the 12 that import them most directly)
  --root FOLDER  another project with a vitest.config.ts
  --write        write the scores of areas to docs/testing.md
  -h, --help     print this help

Examples:
  npm run mutate -- --minutes 5 core/monitors/monitors.ts

Areas: ${areas.map(({ name }) => name).join(', ')}`;

const { values, positionals } = readToolOptions(
  usage,
  {
    minutes: { type: 'string', default: '10' },
    count: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    write: { type: 'boolean', default: false },
  },
  { allowPositionals: true },
);
const [minutes, count] = [Number(values.minutes), Number(values.count)];
if (!(minutes > 0) || !(count > 0)) {
  failWithUsage(usage, '--minutes and --count must be positive numbers');
}
const root = resolve(values.root);

const wanted = positionals.length === 0 ? areas : positionals.map(areaOf);
const documentFile = join(root, 'docs', 'testing.md');
for (const area of wanted) {
  console.log(`\n${area.name}`);
  const began = performance.now();
  const result = await runMutants({
    root,
    sources: sourcesOf(area),
    tests: matching(area.tests),
    isBuilt: area.isBuilt === true,
    seed: values.seed,
    minutes,
    count,
    say: (line) => console.log(line),
  });
  const score = scoreOf(result, accepted);
  printResult(result);
  console.log(`${area.name}: ${score.words} (${((performance.now() - began) / 60_000).toFixed(1)} min)`);
  if (values.write && areas.includes(area)) {
    const row = { area: area.name, score, seed: values.seed };
    writeFileSync(documentFile, updateScores(readFileSync(documentFile, 'utf8'), row));
  }
}

function areaOf(name: string): Area {
  const path = name.replace(/\/$/, '');
  const known = areas.find((area) => area.name === path);
  if (known !== undefined) return values.tests === undefined ? known : { ...known, tests: [values.tests] };
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined) {
    console.error(`error: ${path} is neither an area nor a path\n\n${usage}`);
    process.exit(2);
  }
  const sources = isFolder ? [`${path}/**/*.{ts,tsx,mjs}`] : [path];
  const around = areas.find((area) => matching(area.sources).includes(path));
  const nearest = () => around?.tests ?? relatedTests(root, matching(sources)).slice(0, 12);
  const tests = values.tests === undefined ? nearest() : [values.tests];
  return { name: path, sources, tests, isBuilt: around?.isBuilt === true };
}

function sourcesOf({ sources, tests, isDirect }: Area): string[] {
  if (isDirect !== true) return matching(sources);
  const imported = new Set(matching(tests).flatMap((test) => importsOf(root, test)));
  return matching(sources).filter((source) => imported.has(source));
}

function matching(patterns: readonly string[]): string[] {
  const find = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const excluded = new Set(
    patterns.filter((pattern) => pattern.startsWith('!')).flatMap((each) => find(each.slice(1))),
  );
  const found = patterns.filter((pattern) => !pattern.startsWith('!')).flatMap(find);
  return [...new Set(found)].filter((file) => !excluded.has(file) && !file.endsWith('.d.ts'));
}

function printResult({ survivors }: MutationResult): void {
  if (survivors.length > 0) console.log('\nUnnoticed:');
  const lines = survivors.map((survivor) => `${place(survivor)} (${survivor.why})`);
  for (const line of lines.toSorted()) console.log(`  ${line}`);
}
