// `node scripts/set-version.mjs v0.2.0`, in the project's folder: writes the version to every file that has it. The release workflow passes its tag.
import { readFileSync, writeFileSync } from 'node:fs';

const version = (process.argv[2] ?? '').replace(/^v/, '');
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  console.error(`error: “${version}” is not a version such as 0.2.0.`);
  process.exit(2);
}

/** @typedef {{ version?: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest */

/** @param {Manifest} manifest */
function setVersion(manifest) {
  manifest.version = version;
  for (const group of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(group)) if (name.startsWith('@rainbell/')) group[name] = version;
}

/**
 * @param {string} file
 * @param {(content: any) => void} change
 */
function edit(file, change) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  change(content);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** @type {string[]} */
const workspaces = JSON.parse(readFileSync('package.json', 'utf8')).workspaces;
for (const folder of ['.', ...workspaces]) edit(`${folder}/package.json`, setVersion);
edit('package-lock.json', (/** @type {{ version: string, packages: Record<string, Manifest> }} */ lock) => {
  lock.version = version;
  for (const folder of ['', ...workspaces]) setVersion(lock.packages[folder] ?? {});
});
const project = 'shared/project.ts';
writeFileSync(
  project,
  readFileSync(project, 'utf8').replace(/(?<=productVersion = ')[^']+/, () => version),
);
