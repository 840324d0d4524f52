// A callback endpoint in a process of its own that only counts: it prints its port, and answers 204.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '0.0.0.0', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
