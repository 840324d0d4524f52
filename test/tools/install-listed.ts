// Packages that only single tests or benches need have their own folders under node_modules/.cache, in the versions of
// their own lock file, and are installed at their first use.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Listed = {
  /** Holds `files`: package.json, package-lock.json, and what else belongs beside node_modules. */
  listFolder: string;
  files: readonly string[];
  cacheName: string;
  /** `ci` refuses a lock that names an optional package which the registry does not have. */
  command: 'ci' | 'install';
};

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** Returns the folder whose `node_modules` holds the packages. Throws if npm cannot install them. */
export async function installListed({ listFolder, files, cacheName, command }: Listed): Promise<string> {
  const list = createHash('sha1');
  for (const file of files) list.update(readFileSync(join(listFolder, file)));
  const cacheFolder = join(cache, cacheName);
  const folder = join(cacheFolder, list.digest('hex').slice(0, 12));
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder, { recursive: true });
  const half = mkdtempSync(join(cacheFolder, 'half-'));
  for (const file of files) copyFileSync(join(listFolder, file), join(half, file));
  try {
    const options = [...(command === 'install' ? ['--no-save'] : []), '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', [command, ...options], { cwd: half });
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`The packages of ${listFolder} could not be installed with npm: ${String(error)}`, {
      cause: error,
    });
  }
  return folder;
}

/** The linters, generators, and runners of test/tools/packages. */
export function installTools(): Promise<string> {
  const listFolder = fileURLToPath(new URL('./packages/', import.meta.url));
  return installListed({ listFolder, files: readdirSync(listFolder), cacheName: 'rainbell-test-tools', command: 'ci' });
}
