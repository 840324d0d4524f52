// `npm run mutate`: which faults it makes, and that it tells noticed from unnoticed ones.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { findMutants } from './find-mutants.ts';
import { shuffled } from './sample.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const changesOf = (source: string) =>
  findMutants('a.ts', source).map(({ original, replacement }) => `${original} → ${replacement}`);

it.each([
  ['if (a) b;', ['a → true', 'a → false', 'b; → ;']],
  ['x = a < b;', ['x = a < b; → ;', 'a < b → a <= b']],
  ['export const x = a === b ? 1 : 2;', ['a === b → true', 'a === b → false', 'a === b → a !== b']],
  ['export const x = a - b * c;', ['a - b * c → a + b * c', 'b * c → b / c']],
  ['export const x = a ?? b;', ['a ?? b → a && b']],
  ['export const x = a && b && c;', ['a && b && c → (a && b) || c', 'a && b → a || b']],
  ['export const x = !a;', ['!a → a']],
  ['export const x = true;', ['true → false']],
  ["export const x = 'gone';", ["'gone' → ''"]],
  ['export const x = [a, b];', ['[a, b] → []']],
  ['export const x = Math.min(a, b);', ['Math.min(a, b) → Math.max(a, b)']],
  ['export const x = a.filter(b);', ['a.filter(b) → a']],
  ["export const x = 'a' + b;", ["'a' → ''"]],
  ['while (a) b++;', ['a → false', 'b++; → ;', 'b++ → b--']],
  ['for (;;) { if (a) break; }', ['a → true', 'a → false', 'break; → ;']],
])('makes the faults of %s', (source, changes) => {
  expect(changesOf(source)).toEqual(changes);
});

it.each([
  "import { a } from 'b';",
  "export * from 'b';",
  "export type A = 'a' | 'b';",
  "log.warn({ a: a + b }, 'words');",
  "export const x = 'words for people';",
  "export const x = `a ${b}` + c.toString('hex ');",
  "export const { 'a-b': x } = y;",
  'export const x = <T extends "a">(a: T): a is T => a;',
])('does not change %s', (source) => {
  expect(changesOf(source)).toEqual([]);
});

it('draws the same mutants for the same seed, even after a change elsewhere', () => {
  const before = findMutants('a.ts', 'x = a < b;\ny = c > d;\n');
  const after = findMutants('a.ts', '// A new line\nx = a < b;\ny = c > d;\n');
  const names = (mutants: typeof before, seed: string) => shuffled(mutants, seed).map(({ original }) => original);
  expect(names(after, '1')).toEqual(names(before, '1'));
  const orders = new Set(['1', '2', '3', '4', '5', '6'].map((seed) => names(before, seed).join()));
  expect(orders.size).toBeGreaterThan(1);
});

it('reports the faults of a project that its tests do not notice, and leaves the project as it was', () => {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(tinyProject)) writeFileSync(join(root, name), text);
  symlinkSync(join(projectFolder, 'node_modules'), join(root, 'node_modules'), 'junction');
  const main = join(import.meta.dirname, 'main.ts');
  const run = spawnSync(process.execPath, [main, 'fee.ts', '--root', root], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  // The condition is tested on both sides, but not at its limit; nothing calls the last function.
  expect(run.stdout.split('\n').filter((line) => line.startsWith('UNNOTICED'))).toEqual(
    expect.arrayContaining([
      'UNNOTICED fee.ts:3 boundary: weight > limit → weight >= limit (1 files of tests)',
      'UNNOTICED fee.ts:7 arithmetic: fee * 2 → fee / 2 (1 files of tests)',
    ]),
  );
  expect(run.stdout).toContain('by fee.test.ts: asks a fee above the limit');
  expect(run.stdout).toContain('3 of 5 faults noticed');
  expect(readFileSync(join(root, 'fee.ts'), 'utf8')).toBe(tinyProject['fee.ts']);
});

const tinyProject = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': 'export default { test: { include: ["*.test.ts"] } };',
  'fee.ts': `export function feeOf(weight: number, limit: number): number {
  const base = 3 + 2;
  return weight > limit ? base : 0;
}

export function doubled(fee: number): number {
  return fee * 2;
}
`,
  'fee.test.ts': `import { expect, it } from 'vitest';
import { feeOf } from './fee.ts';

it('asks a fee above the limit', () => {
  expect(feeOf(3, 2)).toBe(5);
  expect(feeOf(1, 2)).toBe(0);
});
`,
};
