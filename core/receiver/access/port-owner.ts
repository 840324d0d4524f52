// Finds which program holds a port, if the system reports it: on Linux the kernel lists listening sockets and each process its own.
// Elsewhere, and for programs of other users, the name is unknown.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

const proc = '/proc';

/** Such as `node (process 4711)`. */
export async function findPortOwner(port: number): Promise<string> {
  const tables = await Promise.all(['net/tcp', 'net/tcp6'].map((name) => read(join(proc, name))));
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`));
  for (const id of (await list(proc)).filter((name) => /^\d+$/.test(name))) {
    const files = (await list(join(proc, id, 'fd'))).map((name) => join(proc, id, 'fd', name));
    const links = await Promise.all(files.map((file) => readlink(file).catch(() => '')));
    if (!links.some((link) => sockets.has(link))) continue;
    // The first word of the command line; `comm` is the name of a thread.
    const name = basename((await read(join(proc, id, 'cmdline'))).split('\0', 1)[0] ?? '');
    return `${name === '' ? 'a program' : name} (process ${id})`;
  }
  return 'another program';
}

/** A row: number, local address with the port in hex, remote address, state (0A listens), five more, inode. */
function listeningInodes(table: string, port: number): string[] {
  const portHex = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${portHex}`) && fields[3] === '0A')
    .map((fields) => fields[9] ?? '')
    .filter((inode) => inode !== '' && inode !== '0');
}

function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
