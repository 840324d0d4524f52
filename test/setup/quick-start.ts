// Starts of our own processes in tests, as `npm run service` and `npm run headless` start them: the bundle that `npm run build` left runs
// if it is as new as its sources, in half the CPU time of the sources.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '#scripts/tool.mjs';

/** Node's flags before the entry. */
export const quickStart: readonly string[] = [
  '--min-semi-space-size=16',
  '--import',
  pathToFileURL(join(projectFolder, 'scripts', 'quick-start.mjs')).href,
];

/** What a process wrote to stderr, without the line that names the bundle (`test/start/quick-start.test.ts`). */
export function withoutAnnouncement(text: string): string {
  return text.replace(/^running the bundle for .*\n/, '');
}
