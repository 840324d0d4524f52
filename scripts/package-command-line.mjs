// `npm run package:command-line`: makes the npm package of the command line, which runs in any folder with Node 24 and needs no other
// package. Node strips no types below node_modules, so its code is a bundle. `--output DIR` says where the .tgz goes; `release` if not
// given.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { createBuilder } from 'vite';
import { requireNode } from './node-version.mjs';
import { packageData } from './packaging.mjs';
import { projectFolder } from './tool.mjs';

requireNode();

const { values } = parseArgs({ options: { output: { type: 'string', default: join(projectFolder, 'release') } } });
const output = resolve(values.output);
const folder = join(output, 'command-line');

const builder = await createBuilder({ configFile: join(projectFolder, 'vite.config.ts') });
const environment = builder.environments['commandLine'];
if (!environment) throw new Error('vite.config.ts has no environment named commandLine.');
await builder.build(environment);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(projectFolder, 'dist', 'command-line'), join(folder, 'dist'), { recursive: true });
for (const file of ['LICENSE', 'docs/command-line.md']) {
  cpSync(join(projectFolder, file), join(folder, file === 'LICENSE' ? file : 'README.md'));
}
// Data that the bundles read from the packages' folders; npm packs them as bundled dependencies.
/** @type {Record<string, string>} */
const bundled = {};
for (const { name, folder: from, isPacked } of packageData) {
  cpSync(join(projectFolder, from), join(folder, from), {
    recursive: true,
    filter: (source) => isPacked(source.slice(join(projectFolder, from).length + 1).replaceAll('\\', '/')),
  });
  bundled[name] = JSON.parse(readFileSync(join(projectFolder, from, 'package.json'), 'utf8')).version;
}
const own = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: 'rainbell',
      version: own.version,
      description: 'Receive, wait for, and replay callbacks from a weather service, in a terminal and in CI.',
      license: own.license,
      homepage: own.homepage,
      repository: own.repository,
      type: 'module',
      bin: { rainbell: 'rainbell.mjs' },
      engines: { node: '>=24' },
      dependencies: bundled,
      bundleDependencies: Object.keys(bundled),
    },
    null,
    2,
  )}\n`,
);
writeFileSync(
  join(folder, 'rainbell.mjs'),
  `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) >= 24) await import('./dist/main.js');
else {
  console.error(\`Rainbell needs Node 24 or newer; this is \${process.version}.\`);
  process.exitCode = 5;
}
`,
);
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', output], {
  cwd: folder,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const [{ filename, size }] = JSON.parse(packed);
console.log(`${join(output, filename)} (${(size / 1_000_000).toFixed(1)} MB)`);
