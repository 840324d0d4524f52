// The smallest durable receiver in a process of its own. Prints its port.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSmallestReceiver } from './smallest-receiver.ts';

const server = createSmallestReceiver(join(process.argv[2] ?? '', 'smallest.sqlite'));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => console.log((server.address() as AddressInfo).port));
