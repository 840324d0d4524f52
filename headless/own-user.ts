// Tells the sockets of this process's user from those of other users of the machine.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** The kernel gives its tables in pages; if connections end meanwhile, a line can be left out, or come twice. */
const maxReadings = 5;

/** Other users of a Linux machine can read a browser's arguments, and so a ticket. Windows hides them; macOS gets a file (main.ts). */
export function isOwnUser(socket: Socket): boolean {
  if (process.platform !== 'linux') return true;
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const owners = ownersOf(socket);
    if (owners.length > 0) return owners.every((owner) => owner === process.getuid?.());
  }
  return false;
}

function ownersOf({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket): number[] {
  const [client, host] = [hexOf(remoteAddress, remotePort), hexOf(localAddress, localPort)];
  // In one go: each page that is waited for is a chance to miss a line.
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    tableOf(file).flatMap((line) => {
      const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
      return local?.endsWith(client) && remote?.endsWith(host) ? [Number(uid)] : [];
    }),
  );
}

function tableOf(file: string): string[] {
  try {
    return readFileSync(file, 'latin1').split('\n');
  } catch {
    // Without IPv6, or with a /proc that hides it.
    return [];
  }
}

/** As /proc/net/tcp has it; an address in /proc/net/tcp6 ends with it. */
function hexOf(address: string, port: number): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  if (endianness() === 'LE') bytes.reverse();
  return `${bytes.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
