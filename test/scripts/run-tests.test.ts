// How `npm test` runs vitest: real runs over small test files.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemBrowsers } from '#scripts/browser.mjs';
import { runTests } from '#scripts/run-tests.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const passing = `test('is always true', () => {}); test('is also true', () => {});`;
/** Passes if the file ran before. */
const flaky = `
import { existsSync, writeFileSync } from 'node:fs';
test('needs a second try', () => {
  const mark = import.meta.filename + '.ran';
  const isSecond = existsSync(mark);
  writeFileSync(mark, '');
  expect(isSecond).toBe(true);
});`;
const broken = `test('is never true', () => expect(1).toBe(2));`;
const strayError = `test('leaves an error behind', () => void Promise.reject(new Error('stray')));`;

async function run(files: Record<string, string>, shouldRetry: boolean) {
  const folder = temporaryFolder();
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, `${name}.test.mjs`), source);
  const lines: string[] = [];
  const flags = ['--root', folder, '--globals'];
  const {
    files: _,
    missing,
    ...result
  } = await runTests([], {
    shouldRetry,
    flags,
    loud: false,
    tell: (line) => lines.push(line),
  });
  return { ...result, lines, ...(missing.length > 0 && { missing }) };
}

describe('a test run', () => {
  it('names a failed file that passes on its own as flaky, and passes', async () => {
    expect(await run({ passing, flaky }, true)).toEqual({
      isPassed: true,
      passed: 3,
      failed: 0,
      lines: ['Running the failed file again, alone.', 'FLAKY flaky.test.mjs'],
    });
  });

  it('fails if one of the failed files fails again', async () => {
    expect(await run({ flaky, broken }, true)).toEqual({
      isPassed: false,
      passed: 1,
      failed: 1,
      lines: ['Running the 2 failed files again, alone.', 'FLAKY flaky.test.mjs'],
    });
  });

  it('outside of CI runs nothing again, and names once what the system lacks', async () => {
    vi.stubEnv('RAINBELL_REQUIRE_PACKAGES', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const lacking = `import { noteMissing } from '${new URL('../setup/missing.ts', import.meta.url).pathname}';
noteMissing('ruby');
test.skip('needs Ruby', () => {});`;
    expect(await run({ lacking, other: lacking, passing, flaky }, false)).toEqual({
      isPassed: false,
      passed: 2,
      failed: 1,
      missing: ['ruby'],
      lines: [],
    });
  });

  it('fails for an error outside of the tests, and for a file that has none', async () => {
    expect(await run({ strayError, flaky }, true)).toMatchObject({ isPassed: false, lines: [] });
    expect(await run({ empty: 'throw new Error()' }, false)).toMatchObject({ isPassed: false, failed: 1 });
  });
});

it.each([
  ['linux', { PATH: '/a' }, ['/a/chromium', '/a/chromium-browser', '/a/google-chrome']],
  ['darwin', {}, ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']],
  ['win32', { PROGRAMFILES: 'C:\\P' }, ['C:\\P\\Google\\Chrome\\Application\\chrome.exe']],
])('looks for the browser where %s has it', (platform, environment, places) => {
  expect(systemBrowsers(platform, environment)).toEqual(places);
});
