// Setup file of the first run: writes which test reaches which mutant.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';

export type RecordedHits = {
  file: string;
  /** The test's id, or null for what its file does around its tests. */
  test: string | null;
  mutants: number[];
};

const folder = process.env['RAINBELL_MUTATION'];
if (folder !== undefined) record(folder);

function record(folder: string): void {
  const file = expect.getState().testPath ?? '';
  const hits = ((globalThis as { __mutationHits?: Set<number> }).__mutationHits ??= new Set());
  hits.clear();
  writeFileSync(join(folder, 'current'), file);
  const write = (test: string | null) => {
    if (hits.size === 0) return;
    const line: RecordedHits = { file, test, mutants: [...hits] };
    appendFileSync(join(folder, 'hits'), `${JSON.stringify(line)}\n`);
    hits.clear();
  };
  beforeEach(() => write(null));
  // Tests that run side by side cannot be told apart.
  afterEach(({ task }) => write(task.concurrent === true ? null : task.id));
  afterAll(() => write(null));
}
