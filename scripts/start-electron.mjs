// The app in Electron, for `npm start`: whether that is possible here, the download of the binary, and why it failed to start.
import { runChild } from './child.mjs';
import { downloadElectron, findElectron, hasDisplay } from './electron-binary.mjs';
import { describeWays } from './sandbox.mjs';
import { projectFolder } from './tool.mjs';

/** Printed by electron/main.ts when its first window shows the app. */
export const readyLine = 'Rainbell is open in Electron.';

/** The start of what electron/main.ts prints when another instance has the data folder and shows its window instead. */
const alreadyOpenLine = 'Rainbell is already open';

/** Electron runs, but Rainbell refused to start and said why; the browser would not help. See electron/main.ts. */
const refusedExitCode = 3;

/** @typedef {Pick<import('./child.mjs').Options, 'readyLimitMs' | 'reminderMs' | 'hasChannel'>} Limits */

/**
 * Checks that Electron can be started: first a display, because no binary works without one, then the binary. Returns why not, as
 * text that follows "Electron can't be used here:", or undefined.
 * @returns {Promise<string | undefined>}
 */
export async function provideElectron() {
  if (!hasDisplay()) return 'there is no display to open its window on (DISPLAY and WAYLAND_DISPLAY are not set)';
  if (findElectron() !== undefined) return undefined;
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    process.exit(130);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const problem = await downloadElectron({ tell: (sentence) => console.log(sentence), signal: stop.signal });
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  return problem === undefined ? undefined : `its binary could not be downloaded (${problem})`;
}

/**
 * Runs the app in Electron until it ends. Returns the exit code, or why Electron did not start.
 * @param {{ program: string, data: string | undefined, flags: readonly string[], link?: string | undefined, limits?: Limits }} options `flags` are Chromium's
 * @returns {Promise<number | string>}
 */
export async function runElectron({ program, data, flags, link, limits = {} }) {
  let wasOpen = false;
  const chosen = [...(data === undefined ? [] : ['--data', data]), ...(link === undefined ? [] : [link])];
  const ending = await runChild(program, ['.', ...flags, ...chosen], {
    cwd: projectFolder,
    readyLine,
    onWaiting: (seconds) => console.log(`Waiting for Electron to show its window (${seconds} s)…`),
    onOutput: (text) => (wasOpen ||= text.includes(alreadyOpenLine)),
    // Set in the terminals of editors that are Electron apps themselves; with it Electron is plain Node.
    environment: { ELECTRON_RUN_AS_NODE: undefined },
    ...limits,
  });
  if (ending.code === refusedExitCode && !ending.isTimedOut) {
    console.error(ending.errorOutput.trimEnd());
    return refusedExitCode;
  }
  if (ending.isReady) {
    if (ending.signal !== null && !ending.isInterrupted) console.error(`Electron crashed (${ending.signal}).`);
    return ending.code;
  }
  if (ending.isInterrupted || (wasOpen && ending.code === 0)) return ending.code;
  if (/sandbox/i.test(ending.errorOutput) && !flags.includes('--no-sandbox')) console.log(describeWays(program, false));
  return whyNot(ending, limits.readyLimitMs ?? 60_000);
}

/**
 * @param {import('./child.mjs').Ending} ending
 * @param {number} limitMs
 */
function whyNot({ code, signal, isTimedOut, errorOutput }, limitMs) {
  const lastLine = errorOutput.trim().split('\n').at(-1)?.trim() ?? '';
  const quoted = lastLine === '' ? '' : ` (${lastLine})`;
  if (isTimedOut) return `it did not show its window within ${Math.round(limitMs / 1000)} s${quoted}`;
  if (signal !== null) return `it crashed on startup with ${signal}${quoted}`;
  return `it ended during startup${quoted === '' ? ` (exit code ${code})` : quoted}`;
}
