// Other people's servers that the benches compare with: their packages have their own folder, installed at the first
// bench, because they bring five hundred others and one that `npm ci` stumbles over; nginx comes from the system.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const listFolder = fileURLToPath(new URL('./peers/', import.meta.url));
const files = ['package.json', 'package-lock.json'];
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/rainbell-bench/', import.meta.url));

/** The folder whose `node_modules` holds the peers, in the versions that `peers/package-lock.json` names. */
export async function installPeers(say: (line: string) => void): Promise<string> {
  say('looking for mockoon, mockttp and prism; the first time they are installed');
  const list = createHash('sha1');
  for (const file of files) list.update(readFileSync(join(listFolder, file)));
  const folder = join(cacheFolder, list.digest('hex').slice(0, 12));
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder, { recursive: true });
  const half = mkdtempSync(join(cacheFolder, 'half-'));
  for (const file of files) copyFileSync(join(listFolder, file), join(half, file));
  try {
    // `npm ci` refuses a lock that names an optional package which the registry does not have.
    const options = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', options, { cwd: half });
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`The packages of ${listFolder} could not be installed with npm: ${String(error)}`, {
      cause: error,
    });
  }
  return folder;
}

/** Where nginx is, on the path or where Debian puts it. */
export function findNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file));
}
