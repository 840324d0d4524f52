// `npm start`: the app in Electron if its binary is here or can be downloaded, otherwise in the browser, with one sentence that says why.
// `npm start -- --help` lists the flags.
import { runChild } from './child.mjs';
import { findElectron } from './electron-binary.mjs';
import { freshBuild } from './fresh-build.mjs';
import { requireNode24 } from './node-version.mjs';
import { provideElectron, runElectron } from './start-electron.mjs';
import { readStartOptions, usage } from './start-options.mjs';
import { projectFolder } from './tool.mjs';

/** @typedef {import('./start-options.mjs').StartOptions} StartOptions */

/** @param {StartOptions} options */
async function runHeadless({ port, data, open }) {
  const args = [
    ...(port === undefined ? [] : ['--port', port]),
    ...(data === undefined ? [] : ['--data', data]),
    ...(open ? [] : ['--no-open']),
  ];
  // As `npm run headless` does.
  const entry = ['--min-semi-space-size=16', '--import', './scripts/quick-start.mjs', 'headless/main.ts'];
  const ending = await runChild(process.execPath, [...entry, ...args], { cwd: projectFolder });
  return ending.isInterrupted ? 0 : ending.code;
}

/**
 * Returns the exit code, or why Electron did not start.
 * @param {StartOptions} options
 */
async function startElectron({ data, flags }) {
  const program = findElectron();
  if (program === undefined) return 'its binary is missing';
  if (flags.includes('--no-sandbox')) {
    console.log(
      "Warning: Chromium's sandbox is off. A web page that exploits a bug in Chromium, such as a service's sign-in page, " +
        'gets the rights of your user account.',
    );
  }
  return runElectron({ program, data, flags });
}

/** @param {StartOptions} options */
async function start(options) {
  const [buildProblem, electronProblem] = await Promise.all([
    freshBuild((sentence) => console.log(sentence)),
    options.host === 'headless' ? undefined : provideElectron(),
  ]);
  if (buildProblem !== undefined) {
    console.error(buildProblem);
    return 1;
  }
  if (options.host === 'headless') return runHeadless(options);
  const ending = electronProblem ?? (await startElectron(options));
  if (typeof ending === 'number') return ending;
  if (options.host === 'electron') {
    console.error(
      `error: Electron can't be used here: ${ending}. Run "npm start" without --electron to use the browser.`,
    );
    return 1;
  }
  console.log(`Rainbell runs in your browser instead of Electron: ${ending}.`);
  return runHeadless(options);
}

requireNode24();
const request = readStartOptions(process.argv.slice(2));
if (request.kind === 'options') {
  process.exitCode = await start(request.options);
} else if (request.kind === 'help') {
  console.log(usage);
} else {
  console.error(`error: ${request.problem}\n\n${usage}`);
  process.exitCode = 2;
}
