// Puts faults into a copy of the project, several at a time whose tests differ, and runs the tests of each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Mutant } from './find-mutants.ts';
import { copyTree } from './tree-copy.ts';

/** `tests` are relative to the root. */
export type Fault = Mutant & { tests: readonly string[] };

const mostAtOnce = 8;
/** Of a run; a fault can make a loop endless. */
const limitMs = 600_000;
const resultsSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Returns how many faults a test noticed, and says it of each. */
export async function plant(root: string, faults: readonly Fault[], say: (line: string) => void): Promise<number> {
  const copy = copyTree(root);
  try {
    const failing = new Map<Fault, string>();
    const waiting = [...faults];
    for (let most = mostAtOnce; waiting.length > 0;) {
      const batch = nextBatch(waiting, most);
      const sources = batch.map(({ file }) => readFileSync(join(copy.folder, file), 'utf8'));
      for (const [index, { file, start, end, replacement }] of batch.entries()) {
        const source = sources[index] ?? '';
        writeFileSync(join(copy.folder, file), source.slice(0, start) + replacement + source.slice(end));
      }
      const failed = await failedTests(copy.folder, [...new Set(batch.flatMap(({ tests }) => tests))]);
      for (const [index, { file }] of batch.entries()) writeFileSync(join(copy.folder, file), sources[index] ?? '');
      // A batch that took too long is repeated, one fault at a time.
      most = failed === undefined && batch.length > 1 ? 1 : mostAtOnce;
      if (most === 1) continue;
      for (const fault of batch) {
        waiting.splice(waiting.indexOf(fault), 1);
        const test = fault.tests.find((name) => failed?.has(name));
        if (failed === undefined || test !== undefined) failing.set(fault, test ?? '');
        say(describe(fault, failed && (test === undefined ? '' : `${test}: ${failed.get(test)}`)));
      }
    }
    // What fails without a fault has noticed none.
    const broken = await failedTests(
      copy.folder,
      [...new Set(failing.values())].filter((test) => test !== ''),
    );
    for (const [test, name] of broken ?? []) say(`Fails without a fault: ${test}: ${name}`);
    return [...failing.values()].filter((test) => broken?.has(test) !== true).length;
  } finally {
    copy.remove();
  }
}

/** Faults of different files that have no test in common. */
function nextBatch(faults: readonly Fault[], most: number): Fault[] {
  const batch: Fault[] = [];
  for (const fault of faults) {
    const isApart = batch.every(
      ({ file, tests }) => file !== fault.file && !tests.some((test) => fault.tests.includes(test)),
    );
    if (isApart && batch.length < most) batch.push(fault);
  }
  return batch;
}

/** The first failed test of each failed file; undefined if the run took too long. */
async function failedTests(folder: string, tests: readonly string[]): Promise<Map<string, string> | undefined> {
  if (tests.length === 0) return new Map();
  const output = join(folder, 'results.json');
  rmSync(output, { force: true });
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const flags = ['run', '--config', 'mutation.config.ts', '--reporter=json', `--outputFile=${output}`];
  const child = spawn(process.execPath, [vitest, ...flags, ...tests], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // With all that its tests started.
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, limitMs);
  await once(child, 'exit');
  clearTimeout(timer);
  if (isLate) return undefined;
  let text: string;
  try {
    text = readFileSync(output, 'utf8');
  } catch {
    throw new Error(`vitest did not run: ${stderr}`);
  }
  const { testResults } = resultsSchema.parse(JSON.parse(text));
  const failed = testResults.filter(({ status }) => status === 'failed');
  return new Map(
    failed.map(({ name, message = '', assertionResults }) => [
      relative(folder, name).replaceAll('\\', '/'),
      assertionResults.find(({ status }) => status === 'failed')?.fullName ?? oneLine(message),
    ]),
  );
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
};

/** `by`: the test that noticed it, '' for none, undefined for the time limit. */
function describe({ file, line, kind, original, replacement, tests }: Fault, by: string | undefined): string {
  const change = `${file}:${line} ${kind}: ${oneLine(original)} → ${replacement === ';' ? '(removed)' : oneLine(replacement)}`;
  if (by === '') return `UNNOTICED ${change} (${tests.length} files of tests)`;
  return `noticed ${change} by ${by ?? 'the time limit'}`;
}
