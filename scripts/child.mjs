// A program that ends with this one: Ctrl+C, SIGTERM, and a closed terminal reach it, and if it does not end in time, it is killed.
import { spawn, spawnSync } from 'node:child_process';

const graceMs = 8000;
const ipc = /** @type {const} */ ('ipc');
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * `isTimedOut`: it was stopped because the ready line did not appear within the limit. `isInterrupted`: the user stopped it.
 * @typedef {{ code: number, signal: NodeJS.Signals | null, isReady: boolean, isTimedOut: boolean, isInterrupted: boolean, errorOutput: string }} Ending
 */

/**
 * @typedef {object} Options
 * @property {string} cwd
 * @property {Record<string, string | undefined>} [environment]
 * @property {string} [readyLine] With it, output passes through here, and errors are held back until the line has come.
 * @property {number} [readyLimitMs]
 * @property {number} [reminderMs]
 * @property {(seconds: number) => void} [onWaiting] Called every `reminderMs` until the ready line comes.
 * @property {(text: string) => void} [onOutput] Called with all that it prints, in pieces.
 * @property {boolean} [stopWhenReady]
 * @property {boolean} [hasChannel] Ask it to quit with a message. On Windows a signal is TerminateProcess, so nothing could be closed.
 */

/**
 * Runs the program until it ends.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} options
 * @returns {Promise<Ending>}
 */
export function runChild(program, args, options) {
  const { cwd, environment = {}, readyLine, readyLimitMs = 60_000, reminderMs = 10_000, onWaiting } = options;
  const { stopWhenReady = false, hasChannel = process.platform === 'win32' && readyLine !== undefined } = options;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = readyLine === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe', ...(hasChannel ? [ipc] : [])];
    /** @type {import('node:child_process').ChildProcess} */
    const child = spawn(program, [...args], { cwd, env: { ...process.env, ...environment }, stdio });
    let errorOutput = '';
    let isReady = false;
    let isTimedOut = false;
    let isInterrupted = false;
    /** @type {NodeJS.Timeout | undefined} */
    let force;
    const end = () => {
      if (hasChannel && child.connected) child.send('quit');
      else child.kill('SIGTERM');
      force ??= setTimeout(() => killTree(child), graceMs);
    };
    const onSignal = () => {
      isInterrupted = true;
      end();
    };
    const limit = setTimeout(() => {
      isTimedOut = true;
      end();
    }, readyLimitMs);
    const reminder = setInterval(() => onWaiting?.(Math.round((performance.now() - startedAt) / 1000)), reminderMs);
    const stopWaiting = () => {
      clearTimeout(limit);
      clearInterval(reminder);
    };
    if (readyLine === undefined) stopWaiting();
    // `| head` may have closed the pipe; the program goes on.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      options.onOutput?.(text);
      if (isReady || readyLine === undefined) return;
      // The line can arrive in two pieces.
      output = `${output}${text}`.slice(-4000);
      if (!output.includes(readyLine)) return;
      isReady = true;
      stopWaiting();
      if (stopWhenReady) end();
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      errorOutput = `${errorOutput}${text}`.slice(-4000);
      if (isReady) process.stderr.write(text);
    });
    for (const signal of signals) process.on(signal, onSignal);
    /**
     * @param {number} code
     * @param {NodeJS.Signals | null} signal
     */
    const finish = (code, signal) => {
      stopWaiting();
      clearTimeout(force);
      for (const name of signals) process.off(name, onSignal);
      resolve({ code, signal, isReady, isTimedOut, isInterrupted, errorOutput });
    };
    child.on('error', (error) => {
      errorOutput = error.message;
      finish(1, null);
    });
    child.on('close', (code, signal) => finish(code ?? 1, signal));
  });
}

/** Ends a child with all that it started. @param {import('node:child_process').ChildProcess} child */
function killTree(child) {
  if (process.platform === 'win32' && child.pid !== undefined) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
  } else {
    child.kill('SIGKILL');
  }
}
