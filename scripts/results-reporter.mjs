// Vitest's results by file, for scripts/run-tests.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { usageOfChildren } from './process-tree.ts';

/** @typedef {{ passed: number, failed: number, isFailed: boolean, seconds: number, cpuSeconds: number }} FileResult */
/** @typedef {{ files: Record<string, FileResult>, hasStrayErrors: boolean, missing: string[] }} Results */

export default class ResultsReporter {
  #browserSeconds = 0;
  /** @type {Map<string, number>} */
  #inBrowser = new Map();

  /**
   * Files that run in Chromium share its pages; what it used since the last one ended is of this one.
   * @type {NonNullable<import('vitest/node').Reporter['onTestModuleEnd']>}
   */
  onTestModuleEnd(module) {
    if (!module.project.config.browser.enabled) return;
    const seconds = usageOfChildren(process.pid, 'chrom').cpuMicroseconds / 1_000_000;
    this.#inBrowser.set(module.relativeModuleId, seconds - this.#browserSeconds);
    this.#browserSeconds = seconds;
  }

  /** @type {NonNullable<import('vitest/node').Reporter['onTestRunEnd']>} */
  onTestRunEnd(modules, errors) {
    /** @type {Results} */
    const results = { files: {}, hasStrayErrors: errors.length > 0, missing: readMissing() };
    for (const module of modules) {
      // A file runs once in each of its projects.
      const none = { passed: 0, failed: 0, isFailed: false, seconds: 0, cpuSeconds: 0 };
      const file = (results.files[module.relativeModuleId] ??= none);
      file.seconds += module.diagnostic().duration / 1000;
      // test/setup/count-cpu.ts
      file.cpuSeconds += /** @type {{ cpuSeconds?: number }} */ (module.meta()).cpuSeconds ?? 0;
      file.cpuSeconds += this.#inBrowser.get(module.relativeModuleId) ?? 0;
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
