// What a release has in addition to its packages, made from the packages in a folder: a list of what they contain (CycloneDX), SHA256SUMS, the
// notes, and the manifests for Homebrew and winget. `npm run package` ends with it; for a tag, the release workflow runs
// `node scripts/release-files.mjs FOLDER` on the packages of all systems.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './tool.mjs';

/** @param {string} file */
const read = (file) => readFileSync(join(projectFolder, file), 'utf8');

/**
 * Writes the files into the folder, and the notes and manifests into its `publish`. A manifest that needs a missing package is left out.
 * @param {string} folder
 * @returns {string[]} the files
 */
export function writeReleaseFiles(folder) {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(read('package.json'));
  const sbom = `rainbell-${version}.cdx.json`;
  writeFileSync(join(folder, sbom), `${JSON.stringify(listContents(), undefined, 1)}\n`);
  const packages = readdirSync(folder).filter(
    (name) => name.includes(version) && /\.(?:AppImage|deb|rpm|dmg|exe|tgz)$/.test(name),
  );
  const sums = new Map([...packages, sbom].toSorted().map((name) => [name, sha256(join(folder, name))]));
  writeFileSync(join(folder, 'SHA256SUMS'), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''));
  const publish = join(folder, 'publish');
  mkdirSync(publish, { recursive: true });
  writeFileSync(join(publish, 'notes.md'), changesOf(version));
  const written = globSync('deploy/{homebrew,winget}/*', { cwd: projectFolder }).flatMap((template) => {
    const text = read(template)
      .replaceAll('{{version}}', version)
      .replaceAll(/\{\{sha256 (\S+)\}\}/g, (whole, /** @type {string} */ name) => sums.get(name) ?? whole);
    if (text.includes('{{')) return [];
    const file = join(publish, basename(template));
    writeFileSync(file, text);
    return [file];
  });
  return [join(folder, sbom), join(folder, 'SHA256SUMS'), join(publish, 'notes.md'), ...written];
}

/** npm's own list of the packages that are bundled, and Electron, which npm takes for a tool. */
function listContents() {
  const command =
    'npm sbom --sbom-format=cyclonedx --sbom-type=application --package-lock-only --omit=dev --omit=optional';
  const list = JSON.parse(execSync(command, { cwd: projectFolder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const { version } = JSON.parse(read('package-lock.json')).packages['node_modules/electron'];
  list.metadata.component.name = 'rainbell';
  list.components.push({ type: 'framework', name: 'electron', version, purl: `pkg:npm/electron@${version}` });
  return list;
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @param {string} version */
function changesOf(version) {
  const section = read('CHANGELOG.md')
    .split(/^## /m)
    .find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}. Add one.`);
  return section.replace(/.*\n/, '');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const file of writeReleaseFiles(process.argv[2] ?? 'release')) console.log(file);
