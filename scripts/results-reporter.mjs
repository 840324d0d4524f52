// Vitest's results by file, for scripts/run-tests.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, isFailed: boolean }} FileResult */
/** @typedef {{ files: Record<string, FileResult>, hasStrayErrors: boolean, missing: string[] }} Results */

export default class ResultsReporter {
  /** @type {NonNullable<import('vitest/node').Reporter['onTestRunEnd']>} */
  onTestRunEnd(modules, errors) {
    /** @type {Results} */
    const results = { files: {}, hasStrayErrors: errors.length > 0, missing: readMissing() };
    for (const module of modules) {
      // A file runs once in each of its projects.
      const file = (results.files[module.relativeModuleId] ??= { passed: 0, failed: 0, isFailed: false });
      file.isFailed ||= !module.ok();
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') file[state] += 1;
      }
    }
    writeFileSync(process.env['RAINBELL_TEST_RESULTS'] ?? '', JSON.stringify(results));
  }
}

/** What the system lacks (test/setup/missing.ts). */
function readMissing() {
  const file = `${process.env['RAINBELL_TEST_RESULTS']}.missing`;
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))].toSorted() : [];
}
