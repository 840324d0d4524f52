// Runs vitest and counts its results. A file that failed beside others in CI, whose machines are busy, can run again on its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder, runTool } from './tool.mjs';

/** With more failed files, the cause isn't a busy machine. */
const maxRetried = 10;

/** @typedef {import('./results-reporter.mjs').Results['files']} Files */

/**
 * @typedef {object} Options
 * @property {boolean} shouldRetry
 * @property {readonly string[]} [flags] of vitest
 * @property {string} [program] another Node
 * @property {Record<string, string>} [environment]
 * @property {(line: string) => void} [tell]
 * @property {boolean} [loud]
 */

/**
 * Runs the test files that match a filter, or all.
 * @param {readonly string[]} filters
 * @param {Options} options
 * @returns {Promise<{ isPassed: boolean, passed: number, failed: number, files: Files, missing: string[] }>}
 */
export async function runTests(filters, options) {
  const { shouldRetry, tell = console.log } = options;
  const first = await runVitest(filters, options);
  const failedFiles = Object.keys(first.files).filter((name) => first.files[name]?.isFailed);
  const canRetry = shouldRetry && !first.hasStrayErrors && failedFiles.length > 0 && failedFiles.length <= maxRetried;
  const { missing } = first;
  if (!canRetry) return { isPassed: first.code === 0, missing, ...count(first.files) };
  tell(`Running the ${failedFiles.length === 1 ? 'failed file' : `${failedFiles.length} failed files`} again, alone.`);
  const second = await runVitest([...failedFiles, '--maxWorkers', '1'], options);
  for (const name of failedFiles) if (second.files[name]?.isFailed === false) tell(`FLAKY ${name}`);
  return { isPassed: second.code === 0, missing, ...count({ ...first.files, ...second.files }) };
}

/**
 * @param {readonly string[]} args
 * @param {Options} options
 * @returns {Promise<import('./results-reporter.mjs').Results & { code: number }>}
 */
async function runVitest(args, { flags = [], program, environment = {}, loud = true }) {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-results-'));
  const file = join(folder, 'results.json');
  const reporters = ['--reporter=default', `--reporter=${join(projectFolder, 'scripts', 'results-reporter.mjs')}`];
  try {
    const { code } = await runTool('vitest', ['run', ...flags, ...reporters, ...args], {
      loud,
      ...(program === undefined ? {} : { program }),
      environment: { ...environment, RAINBELL_TEST_RESULTS: file },
    });
    return { ...JSON.parse(readFileSync(file, 'utf8')), code };
  } catch {
    // It crashed, or there were no tests.
    return { files: {}, hasStrayErrors: true, missing: [], code: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Files} files */
function count(files) {
  const counts = Object.values(files);
  return {
    files,
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    // A file can fail before its first test.
    failed: counts.reduce((sum, { failed, isFailed }) => sum + (isFailed ? Math.max(failed, 1) : failed), 0),
  };
}

/** The ten files that took longest, and the CPU seconds of each folder of tests. @param {Files} files */
export function describeCosts(files) {
  /** @type {Record<string, number>} */
  const folders = {};
  for (const [name, { cpuSeconds }] of Object.entries(files)) {
    const folder = name.split('/').slice(0, 2).join('/');
    folders[folder] = (folders[folder] ?? 0) + cpuSeconds;
  }
  /** @param {string} title @param {[string, number][]} entries @param {number} [most] */
  const list = (title, entries, most) => {
    const largest = entries.toSorted(([, one], [, other]) => other - one).slice(0, most);
    return [title, ...largest.map(([name, seconds]) => `${seconds.toFixed(0).padStart(5)} s ${name}`)];
  };
  const durations = Object.entries(files).map(
    ([name, { seconds }]) => /** @type {[string, number]} */ ([name, seconds]),
  );
  return [...list('Slowest files:', durations, 10), ...list('CPU:', Object.entries(folders))].join('\n');
}
