// A bundle runs with the code that V8 compiled in an earlier run (scripts/run-bundle.mjs), if that is the code of the same text and whole.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundleRunner } from '#scripts/run-bundle.mjs';

/** Prints the text in a function that V8 compiles when it is first called. */
const printing = (text: string) =>
  `function print() { console.log('${text}'); } print(); setTimeout(() => {}, Number(process.env.LASTS_MS));`;

function bundled(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'main.cjs');
  const write = (content: string, modifiedSeconds: number) => {
    writeFileSync(file, content);
    utimesSync(file, modifiedSeconds, modifiedSeconds);
  };
  write(text, 1000);
  const run = ({ codeFolder = folder, lastsMs = 0 } = {}) => {
    const script = `import ${JSON.stringify(bundleRunner(file, codeFolder))};`;
    const env = { ...process.env, LASTS_MS: String(lastsMs) };
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env }).trim();
  };
  /** The only file of code. */
  const codeFile = () => {
    const names = readdirSync(folder).filter((name) => name !== 'main.cjs');
    expect(names).toHaveLength(1);
    return join(folder, ...names);
  };
  return { folder, write, run, codeFile };
}

it('keeps the code of functions that were called, and uses it', () => {
  const { run, codeFile } = bundled(printing('only-in-a-compiled-function'));
  expect(run()).toBe('only-in-a-compiled-function');
  expect(readFileSync(codeFile(), 'latin1')).toContain('only-in-a-compiled-function');
  const { mtimeMs } = statSync(codeFile());
  expect(run()).toBe('only-in-a-compiled-function');
  expect(statSync(codeFile()).mtimeMs).toBe(mtimeMs);
});

it('does not use the code of an earlier bundle of the same length', () => {
  const { write, run } = bundled(printing('one'));
  run();
  write(printing('two'), 2000);
  expect(run()).toBe('two');
  expect(run()).toBe('two');
});

it.each([
  ['one bit changed', (code: Buffer) => code.fill((code.at(-9) ?? 0) ^ 1, code.length - 9, code.length - 8)],
  ['its end missing', (code: Buffer) => code.subarray(0, -50)],
  ['nothing in it', () => Buffer.alloc(0)],
])('replaces kept code that has %s', (_damage, damage) => {
  const { run, codeFile } = bundled(printing('one'));
  run();
  const broken = damage(readFileSync(codeFile()));
  writeFileSync(codeFile(), broken);
  expect(run()).toBe('one');
  expect(readFileSync(codeFile()).equals(broken)).toBe(false);
});

it('keeps the code again in the first process that lasts longer than a start', () => {
  const { run, codeFile } = bundled(printing('one'));
  run();
  expect(codeFile()).toMatch(/-part$/);
  run({ lastsMs: 4_000 });
  expect(codeFile()).not.toMatch(/-part$/);
});

it('runs a bundle if its folder for code does not exist', () => {
  const { folder, run } = bundled(printing('one'));
  expect(run({ codeFolder: join(folder, 'absent') })).toBe('one');
  expect(readdirSync(folder)).toEqual(['main.cjs']);
});
