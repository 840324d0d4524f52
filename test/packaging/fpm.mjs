// Replaces fpm, which electron-builder downloads: takes the same arguments, builds a real deb with dpkg-deb, and for an rpm
// writes the arguments it was called with.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const text = /** @type {const} */ ({ type: 'string' });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    s: { ...text, short: 's' },
    t: { ...text, short: 't' },
    d: { ...text, short: 'd', multiple: true },
    force: { type: 'boolean' },
    'deb-recommends': { ...text, multiple: true },
    'deb-compression': text,
    'deb-priority': text,
    'rpm-os': text,
    'rpm-compression': text,
    'rpm-summary': text,
    architecture: text,
    'after-install': text,
    'after-remove': text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    category: text,
    license: text,
  },
});
const required = (/** @type {keyof typeof values} */ name) => {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`fpm was called without --${name}`);
  return value;
};
const output = required('package');

if (required('t') === 'deb') {
  const root = mkdtempSync(join(tmpdir(), 'rainbell-deb-'));
  try {
    for (const mapping of positionals) copyInto(root, mapping);
    writeControl(join(root, 'DEBIAN'));
    // The least compression: the test measures contents, not sizes.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', root, output], { stdio: 'ignore' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
} else {
  writeFileSync(output, JSON.stringify(process.argv.slice(2)));
}

/**
 * `from=to`: a file to a file, or with `/` at its end the contents of a folder.
 * @param {string} root
 * @param {string} mapping
 */
function copyInto(root, mapping) {
  const [from = '', to = ''] = mapping.split('=');
  const target = join(root, to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true });
  if (statSync(from).isFile()) chmodSync(target, statSync(from).mode & 0o755);
}

/** @param {string} folder */
function writeControl(folder) {
  mkdirSync(folder);
  const architecture = { x64: 'amd64', amd64: 'amd64', arm64: 'arm64', aarch64: 'arm64' }[required('architecture')];
  const fields = {
    Package: required('name'),
    Version: required('version'),
    Architecture: architecture,
    Maintainer: required('maintainer'),
    Section: required('category'),
    Priority: required('deb-priority'),
    Homepage: required('url'),
    Depends: values.d?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Description: required('description').trim(),
  };
  writeFileSync(
    join(folder, 'control'),
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  cpSync(required('after-install'), join(folder, 'postinst'));
  cpSync(required('after-remove'), join(folder, 'postrm'));
  for (const script of ['postinst', 'postrm']) chmodSync(join(folder, script), 0o755);
}
