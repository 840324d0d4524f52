// `npm start`: the app in Electron if its binary is here or can be downloaded, otherwise in the browser, with the reason.
import { findElectron } from './electron-binary.mjs';
import { prepareFirstStart } from './first-start.mjs';
import { freshBuild } from './fresh-build.mjs';
import { requireNode } from './node-version.mjs';
import { describeMissingSandbox } from './sandbox.mjs';
import { provideElectron, runElectron } from './start-electron.mjs';
import { readStartOptions, usage } from './start-options.mjs';
import { runHeadless } from './run-headless.mjs';

/** @typedef {import('./start-options.mjs').StartOptions} StartOptions */

/** @param {StartOptions} options */
function headlessArguments({ port, data, open, link }) {
  return [
    ...(port === undefined ? [] : ['--port', port]),
    ...(data === undefined ? [] : ['--data', data]),
    ...(open ? [] : ['--no-open']),
    ...(link === undefined ? [] : [link]),
  ];
}

/**
 * Returns the exit code, or why Electron did not start.
 * @param {StartOptions} options
 */
async function startElectron({ data, flags, link }) {
  const program = findElectron();
  if (program === undefined) return 'its binary is missing';
  if (flags.includes('--no-sandbox')) {
    console.log(
      "Warning: Chromium's sandbox is off. A web page that exploits a bug in Chromium, such as a service's sign-in page, " +
        'can do everything that your user account can.',
    );
  } else {
    const problem = describeMissingSandbox(program);
    if (problem !== undefined) {
      console.log(problem);
      return "Chromium's sandbox doesn't work here";
    }
  }
  return runElectron({ program, data, flags, link });
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
  if (options.host === 'headless') return runHeadless(headlessArguments(options));
  const ending = electronProblem ?? (await startElectron(options));
  if (typeof ending === 'number') return ending;
  if (options.host === 'electron') {
    console.error(
      `error: Electron can't be used here: ${ending}. Run "npm start" without --electron to use the browser.`,
    );
    return 1;
  }
  console.log(`Rainbell is running in your browser instead of Electron: ${ending}.`);
  return runHeadless(headlessArguments(options));
}

const args = process.argv.slice(2);
const request = readStartOptions(args);
if (request.kind === 'options') {
  const code = await prepareFirstStart('scripts/start.mjs', args, (sentence) => console.log(sentence));
  if (code === undefined) requireNode();
  process.exitCode = code ?? (await start(request.options));
} else if (request.kind === 'help') {
  console.log(usage);
} else {
  console.error(`error: ${request.problem}\n\n${usage}`);
  process.exitCode = 2;
}
