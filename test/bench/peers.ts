// Other people's servers that the benches compare with: their packages lie in a folder of their own, installed at the first
// bench, since they bring five hundred others and one that `npm ci` stumbles over; nginx comes from the system.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const listFolder = fileURLToPath(new URL('./peers/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/rainbell-bench/', import.meta.url));
const files = ['package.json', 'package-lock.json'];

/** The folder whose `node_modules` holds the peers, in the versions that `peers/package-lock.json` names. */
export async function installPeers(say: (line: string) => void): Promise<string> {
  const list = createHash('sha1');
  for (const file of files) list.update(readFileSync(join(listFolder, file)));
  const folder = join(cacheFolder, list.digest('hex').slice(0, 12));
  if (existsSync(folder)) return folder;
  say('installing mockoon, mockttp and prism for the first time');
  mkdirSync(cacheFolder, { recursive: true });
  const half = mkdtempSync(join(cacheFolder, 'half-'));
  for (const file of files) copyFileSync(join(listFolder, file), join(half, file));
  try {
    // Not `npm ci`: an optional package of mockttp is not in every registry, and `ci` refuses such a lock.
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'], {
      cwd: half,
    });
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`The peers could not be installed with npm: ${String(error)}`, { cause: error });
  }
  return folder;
}

/** Where nginx is, on the path or where Debian puts it. */
export function findNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file));
}

/** A port that is free now, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
