// The CPU time of each test file, with all processes that it starts, which `npm test` prints at its end.
import { afterAll } from 'vitest';
import { usageOfTree } from '#scripts/process-tree.ts';

/** Of the files before, where several share a process. */
const counted = globalThis as { cpuSeconds?: number };

if (process.env['RAINBELL_TEST_RESULTS'] !== undefined) {
  // Vitest reads the fixtures from the text of the function, and fails the file unless the first argument is a pattern.
  // oxlint-disable-next-line no-empty-pattern
  afterAll(({}, { meta }) => {
    const seconds = usageOfTree(process.pid).cpuMicroseconds / 1_000_000;
    Object.assign(meta, { cpuSeconds: seconds - (counted.cpuSeconds ?? 0) });
    counted.cpuSeconds = seconds;
  });
}
