#!/usr/bin/env node
// `rainbell` with any Node: if it is too old for TypeScript, the project's own runs the command line (docs/command-line.md).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough, ownNode } from './node-version.mjs';

const run = fileURLToPath(new URL('./run.cjs', import.meta.url));
const main = fileURLToPath(new URL('../command-line/main.ts', import.meta.url));

if (isNodeNewEnough) {
  process.argv.splice(1, 1, run, main);
  createRequire(import.meta.url)(run);
} else if (existsSync(ownNode)) {
  runWithOwnNode();
} else {
  console.error(`Rainbell needs a newer Node than ${process.version}. Run "npm ci" in its folder, which installs one.`);
  process.exitCode = 5;
}

function runWithOwnNode() {
  // Over the channel the command line learns when this program is gone, however it ended.
  const child = spawn(ownNode, [run, main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(
      `The Node that comes with Rainbell cannot be started (${error.message}). Run "npm ci" in its folder.`,
    );
    process.exitCode = 5;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 130;
    if (child.connected) child.disconnect();
  });
}
