// `npm test`: everything that CI needs, in one command. It checks the Node version, finds or fetches a Chromium, builds,
// checks types, lint, format and dead code, then runs the tests. Arguments go to vitest: `npm test -- test/story`.
import { obtainBrowser } from './browser.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './tool.mjs';

requireNode();

/** @type {readonly { label: string, tool: string, args: readonly string[] }[]} */
const checks = [
  { label: 'build', tool: 'vite', args: ['build', '--app', '--config', 'vite.config.ts'] },
  // Its own choice, four checkers in each of several projects at once, checks the shared types again in each.
  { label: 'types', tool: 'typescript', args: ['-b', '--checkers', '2', '--builders', '1'] },
  { label: 'lint', tool: 'oxlint', args: [] },
  { label: 'format', tool: 'oxfmt', args: ['--check'] },
  { label: 'dead code', tool: 'knip', args: [] },
];

/** @param {(typeof checks)[number]} check */
async function runCheck({ label, tool, args }) {
  const startedAt = performance.now();
  const { code, output } = await runTool(tool, args);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${label} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

try {
  const browser = await obtainBrowser((words) => console.log(words));
  console.log(`Node ${process.versions.node}; browser ${browser}`);
  /** @type {string[]} */
  const failed = [];
  for (const check of checks) if (!(await runCheck(check))) failed.push(check.label);
  const tests = await runTool('vitest', ['run', ...process.argv.slice(2)], {
    loud: true,
    environment: { RAINBELL_BROWSER: browser },
  });
  if (tests.code !== 0) failed.push('tests');
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}. See the details above.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
