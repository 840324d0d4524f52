#!/usr/bin/env node
// What the npm package starts; `npm pack` puts the bundle beside it. In a checkout, node_modules/.bin has it, too, without the bundle.
import { existsSync } from 'node:fs';

if (!existsSync(new URL('dist/main.js', import.meta.url))) await import('../scripts/rainbell.mjs');
else if (Number(process.versions.node.split('.')[0]) >= 24) await import('./dist/main.js');
else {
  console.error(`Rainbell needs Node 24 or newer; this is ${process.version}.`);
  process.exitCode = 5;
}
