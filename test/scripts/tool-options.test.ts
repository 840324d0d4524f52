// The command lines of the tools for developers: each explains itself, and exits before it does anything.
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';

type Run = { code: number; out: string; words: string };

async function run(file: string, ...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: projectFolder }, (error, out, words) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, words }),
    );
  });
}

const tools = {
  bench: 'test/bench/main.ts',
  attack: 'test/attack/main.ts',
  screenshots: 'scripts/screenshots.mjs',
};

it.each(Object.entries(tools))('npm run %s explains itself', async (name, file) => {
  const help = await run(file, '--help');
  expect(help).toMatchObject({
    code: 0,
    words: '',
    out: expect.stringMatching(new RegExp(`^Usage: npm run ${name} `)),
  });
});

it.each([
  [tools.bench, ['no-such'], 'unknown benchmark: no-such'],
  [tools.attack, ['--only'], "Option '--only <value>' argument missing"],
])('%s says what is wrong with %j, and how it is used', async (file, wrong, problem) => {
  const failed = await run(file, ...wrong);
  expect(failed).toMatchObject({ code: 2, out: '', words: expect.stringContaining(`error: ${problem}`) });
  expect(failed.words).toContain('Usage: npm run ');
});
