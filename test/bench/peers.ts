// Other people's servers that the benches compare with: their packages have their own folder, installed at the first
// bench, because they bring five hundred others and one that `npm ci` stumbles over; nginx comes from the system.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installListed } from '#test/tools/install-listed.ts';

const listFolder = fileURLToPath(new URL('./peers/', import.meta.url));

/** The folder whose `node_modules` holds the peers, in the versions that `peers/package-lock.json` names. */
export async function installPeers(say: (line: string) => void): Promise<string> {
  say('looking for mockoon, mockttp and prism; the first time they are installed');
  return installListed({
    listFolder,
    files: ['package.json', 'package-lock.json'],
    cacheName: 'rainbell-bench',
    // An optional package of mockttp is not in every registry.
    command: 'install',
  });
}

/** Where nginx is, on the path or where Debian puts it. */
export function findNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file));
}
