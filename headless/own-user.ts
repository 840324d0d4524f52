// Tells the sockets of this process's user from those of other users of the machine.
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/**
 * Whether the other end of a loopback connection belongs to this process's user. Other users of a Linux machine can read the arguments of
 * a browser, and so a ticket. Windows hides them; macOS gets a file instead (main.ts).
 */
export async function isOwnUser({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket) {
  if (process.platform !== 'linux') return true;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  const [client, host] = [hexOf(remoteAddress, remotePort), hexOf(localAddress, localPort)];
  const owners = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
      return local?.endsWith(client) && remote?.endsWith(host) ? [Number(uid)] : [];
    }),
  );
  return owners.length === 1 && owners[0] === process.getuid?.();
}

/** As /proc/net/tcp has it; an address in /proc/net/tcp6 ends with it. */
function hexOf(address: string, port: number): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  if (endianness() === 'LE') bytes.reverse();
  return `${bytes.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
