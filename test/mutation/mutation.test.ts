// The runner of `npm run mutate`: which faults it makes, and that it tells noticed from unnoticed ones.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { findMutants } from './find-mutants.ts';
import { interval, shuffled } from './sample.ts';
import { scoreOf, updateScores } from './scores.ts';
import { switchMutants } from './switch-mutants.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const changesOf = (source: string) =>
  findMutants('a.ts', source).map(({ original, replacement }) => `${original} → ${replacement}`);

it.each([
  ['if (a) b;', ['a → true', 'a → false', 'b; → ']],
  ['x = a < b;', ['x = a < b; → ', 'a < b → a <= b']],
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
  ['while (a) b++;', ['a → false', 'b++; → ', 'b++ → b--']],
  ['for (;;) { if (a) break; }', ['a → true', 'a → false', 'break; → ']],
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

it('puts all faults behind switches, without a change of line numbers', () => {
  const source =
    "export const f = (a, b) => {\n  if (a < b && !a) b();\n  else throw new Error('x');\n  return b.c ?? 'none';\n};\n";
  const mutants = findMutants('a.js', source).map((mutant, index) => ({ ...mutant, id: index + 1 }));
  const result = switchMutants(source, mutants, '/nowhere');
  const run = (active: number) => {
    // A module would see the runtime's function from anywhere; here it comes first.
    const [code = '', runtime = ''] = result.split('function __mutant');
    const body = `function __mutant${runtime}\n${code.replace('export const f =', 'return')}`;
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the runner's own output
    const made = new Function('globalThis', body)({ __mutation: { active, calls: 0 } }) as (
      ...values: number[]
    ) => string;
    return made(1, 2);
  };
  expect(mutants.map(({ line }) => line)).toEqual([2, 2, 2, 2, 2, 2, 3, 3, 4, 4]);
  expect(result.split('\n').findIndex((line) => line.includes("'none'"))).toBe(3);
  expect(() => run(0)).toThrow('x');
  const removed = mutants.find(({ kind, line }) => kind === 'statement' && line === 3)?.id ?? 0;
  expect(run(removed)).toBe('none');
});

it('draws the same mutants for the same seed, even after a change elsewhere', () => {
  const before = findMutants('a.ts', 'x = a < b;\ny = c > d;\n');
  const after = findMutants('a.ts', '// A new line\nx = a < b;\ny = c > d;\n');
  const names = (mutants: typeof before, seed: string) => shuffled(mutants, seed).map(({ original }) => original);
  expect(names(after, '1')).toEqual(names(before, '1'));
  const orders = new Set(['1', '2', '3', '4', '5', '6'].map((seed) => names(before, seed).join()));
  expect(orders.size).toBeGreaterThan(1);
});

it("estimates a share by Wilson's interval, and knows it if all were tried", () => {
  // Brown, Cai, DasGupta 2001, and R: prop.test(10, 100, correct = FALSE).
  const [low, high] = interval(10, 100, 1000);
  expect(low).toBeCloseTo(0.0552, 4);
  expect(high).toBeCloseTo(0.1744, 4);
  expect(interval(1, 4, 4)).toEqual([0.25, 0.25]);
});

it('counts accepted survivors apart, and replaces the row of an area', () => {
  const survivor = { ...findMutants('a.ts', 'x = a < b;')[1]!, id: 1, why: '' };
  const result = { all: 4, tried: 4, survivors: [survivor, { ...survivor, file: 'b.ts' }], timedOut: 0 };
  const score = scoreOf(result, [{ file: 'a.ts', original: 'a < b', replacement: 'a <= b', reason: '' }]);
  expect(score).toMatchObject({ unnoticed: 1, accepted: 1 });
  const document = '| area | mutants |\n|---|---|\n| one | old |\n| two | old |\n\nEnd\n';
  expect(updateScores(document, { area: 'one', score, seed: '7' })).toBe(
    '| area | mutants |\n|---|---|\n| one | 4 | 4 | 25% (25–25%) | 25% | 7 |\n| two | old |\n\nEnd\n',
  );
});

it('reports the faults of a project that its tests do not notice, and leaves the project as it was', () => {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(tinyProject)) writeFileSync(join(root, name), text);
  symlinkSync(join(projectFolder, 'node_modules'), join(root, 'node_modules'), 'junction');
  const main = join(import.meta.dirname, 'main.ts');
  const run = spawnSync(process.execPath, [main, 'fee.ts', '--root', root], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  // The condition is tested on both sides, but not at its limit; nothing calls the last function.
  const unnoticed = run.stdout.split('Unnoticed:\n')[1] ?? '';
  expect(unnoticed.split('\n').slice(0, 2)).toEqual([
    '  fee.ts:3 boundary: weight > limit → weight >= limit (1 tests passed)',
    '  fee.ts:7 arithmetic: fee * 2 → fee / 2 (no test reaches it)',
  ]);
  expect(run.stdout).toContain('fee.ts: 5 of 5 mutants tried: 3 noticed (0 by a time limit), 0 accepted, 2 unnoticed');
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
