// A server that no one attacks, in a process of its own. How long the honest client waits for it shows how busy the machine
// is. Before it responds to a POST, it writes the body to disk, as the receiver does. Reports its port to its parent.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'rainbell-bystander-'));
const file = openSync(join(folder, 'bodies'), 'a');

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => writeSync(file, chunk));
  request.once('end', () => {
    if (request.method === 'POST') fdatasyncSync(file);
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => {
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
