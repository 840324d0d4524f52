// The command lines of the tools for developers: each explains itself, and exits before it does anything.
import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';

type Run = { code: number; out: string; words: string };

async function run(file: string, ...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: projectFolder }, (error, out, words) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, words }),
    );
  });
}

describe.each([
  ['bench', 'test/bench/main.ts', ['no-such'], 'unknown benchmark: no-such'],
  ['attack', 'test/attack/main.ts', ['--only'], "Option '--only <value>' argument missing"],
  ['screenshots', 'scripts/screenshots.mjs', ['--dark'], "Unknown option '--dark'"],
  ['mutate', 'test/mutation/main.ts', ['--count', '-1'], "Option '--count' argument is ambiguous"],
])('npm run %s', (name, file, wrong, problem) => {
  it('explains itself, and what is wrong with its arguments', async () => {
    const [help, failed] = await Promise.all([run(file, '--help'), run(file, ...wrong)]);
    expect(help).toMatchObject({ code: 0, words: '' });
    expect(help.out).toMatch(new RegExp(`^Usage: npm run ${name} `));
    expect(failed).toMatchObject({ code: 2, out: '', words: expect.stringContaining(`error: ${problem}`) });
    expect(failed.words).toContain(help.out);
  });
});
