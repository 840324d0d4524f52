#!/usr/bin/env node
// `rainbell`, with any Node version: the command line itself needs the project's own Node 24, which runs its TypeScript without a
// build. See docs/command-line.md.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const wanted = 24;
const quickStart = new URL('./quick-start.mjs', import.meta.url);
const main = new URL('../command-line/main.ts', import.meta.url);
const ownNode = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);

if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import(quickStart.href);
  await import(main.href);
} else if (existsSync(ownNode)) {
  runWithOwnNode();
} else {
  console.error(`Rainbell needs Node ${wanted}, which "npm ci" in its folder installs; this is ${process.version}.`);
  process.exitCode = 5;
}

function runWithOwnNode() {
  // Over the channel the command line learns when this program is gone, however it ended.
  const child = spawn(ownNode, ['--import', quickStart.href, fileURLToPath(main), ...process.argv.slice(2)], {
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
