// `npm start`: the app in Electron where its binary is or can be had, else in the browser, with one sentence that says why.
// See docs and `npm start -- --help` for the flags.
import { runChild } from './child.mjs';
import { downloadElectron, findElectron, hasDisplay } from './electron-binary.mjs';
import { freshBuild } from './fresh-build.mjs';
import { requireNode24 } from './node-version.mjs';
import { readStartOptions, usage } from './start-options.mjs';
import { projectFolder } from './tool.mjs';

/** Printed by electron/main.ts when its first window shows the app. */
const readyLine = 'Rainbell is open in Electron.';

/** Electron runs, but Rainbell refused to start and said why; the browser would not help. See electron/main.ts. */
const refusedExitCode = 3;

/** @typedef {import('./start-options.mjs').StartOptions} StartOptions */

/**
 * Makes sure that there is a binary; answers why there is none, in words that follow "because".
 * @param {StartOptions['host']} host
 * @returns {Promise<string | undefined>}
 */
async function provideElectron(host) {
  if (findElectron() !== undefined) return hasDisplay() ? undefined : 'there is no display to open its window on';
  if (!hasDisplay() && host === 'any') {
    return 'its binary is not installed and was not fetched, since there is no display to open its window on';
  }
  console.log('Fetching Electron (about 120 MB, once).');
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    process.exit(130);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const problem = await downloadElectron({ tell: (words) => console.log(words), signal: stop.signal });
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  return problem === undefined ? undefined : `its binary could not be downloaded (${problem})`;
}

/**
 * Answers the exit code, or why Electron did not start.
 * @param {StartOptions} options
 * @returns {Promise<number | string>}
 */
async function runElectron({ data }) {
  const program = findElectron();
  if (program === undefined) return 'its binary is missing';
  const ending = await runChild(program, ['.', ...(data === undefined ? [] : ['--data', data])], {
    cwd: projectFolder,
    readyLine,
    // Set in the terminals of editors that are Electron apps themselves; with it Electron is plain Node.
    environment: { ELECTRON_RUN_AS_NODE: undefined },
  });
  if (ending.code === refusedExitCode) console.error(ending.complaints.trimEnd());
  if (ending.wasReady || ending.wasAskedToEnd || [0, refusedExitCode].includes(ending.code)) return ending.code;
  const lastLine = ending.complaints.trim().split('\n').at(-1) ?? '';
  return `its binary does not start${lastLine === '' ? '' : ` (${lastLine.trim()})`}`;
}

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
  return ending.wasAskedToEnd ? 0 : ending.code;
}

/** @param {StartOptions} options */
async function start(options) {
  const [buildProblem, electronProblem] = await Promise.all([
    freshBuild(),
    options.host === 'headless' ? undefined : provideElectron(options.host),
  ]);
  if (buildProblem !== undefined) {
    console.error(buildProblem);
    return 1;
  }
  if (options.host === 'headless') return runHeadless(options);
  const ending = electronProblem ?? (await runElectron(options));
  if (typeof ending === 'number') return ending;
  if (options.host === 'electron') {
    console.error(`Electron cannot be used here: ${ending}. Run "npm start" without --electron to use the browser.`);
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
  console.error(`${request.words}\n\n${usage}`);
  process.exitCode = 2;
}
