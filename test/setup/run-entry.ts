// Starts of our own processes in tests, as `npm run service` and `npm run headless` start them: the bundle that `npm run build` left runs
// if it is as new as its sources, in half the CPU time of the sources.
import { join } from 'node:path';
import { projectFolder } from '#scripts/tool.mjs';

/** Node's arguments before the entry. */
export const runEntry: readonly string[] = ['--min-semi-space-size=16', join(projectFolder, 'scripts', 'run.cjs')];
