// A program that this one starts and takes down with itself: Ctrl-C, SIGTERM and a closed terminal reach it, and what does
// not end in time is ended.
import { spawn, spawnSync } from 'node:child_process';

const graceMs = 8000;
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @typedef {{ code: number, wasReady: boolean, wasAskedToEnd: boolean, complaints: string }} Ending */

/**
 * Runs the program until it ends. With `readyLine` its output passes through here and `wasReady` says whether the line
 * came; without, it writes to the terminal itself.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, environment?: Record<string, string | undefined>, readyLine?: string, readyLimitMs?: number }} options
 * @returns {Promise<Ending>}
 */
export function runChild(program, args, { cwd, environment = {}, readyLine, readyLimitMs = 60_000 }) {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], {
      cwd,
      env: { ...process.env, ...environment },
      stdio: readyLine === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    let wasReady = false;
    let wasAskedToEnd = false;
    /** @type {NodeJS.Timeout | undefined} */
    let force;
    const end = () => {
      child.kill('SIGTERM');
      force ??= setTimeout(() => endTree(child), graceMs);
    };
    const onSignal = () => {
      wasAskedToEnd = true;
      end();
    };
    const unready = readyLine === undefined ? undefined : setTimeout(end, readyLimitMs);
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      if (readyLine !== undefined && text.includes(readyLine)) {
        wasReady = true;
        clearTimeout(unready);
      }
      process.stdout.write(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      complaints = `${complaints}${text}`.slice(-4000);
      if (wasReady) process.stderr.write(text);
    });
    for (const signal of signals) process.on(signal, onSignal);
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(force);
      clearTimeout(unready);
      for (const signal of signals) process.off(signal, onSignal);
      resolve({ code, wasReady, wasAskedToEnd, complaints });
    };
    child.on('error', (error) => {
      complaints = error.message;
      finish(1);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/** Ends a child with all that it started. @param {import('node:child_process').ChildProcess} child */
function endTree(child) {
  if (process.platform === 'win32' && child.pid !== undefined) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
  } else {
    child.kill('SIGKILL');
  }
}
