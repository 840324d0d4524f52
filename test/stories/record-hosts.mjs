// Preloaded into every thread of a process (`node --import`): writes each host that a socket or a name lookup asks for into the file
// of RAINBELL_TEST_HOSTS, and lets none but this machine be reached. Everything in Node that speaks TCP goes through net.Socket.
import { appendFileSync } from 'node:fs';
import dgram from 'node:dgram';
import net from 'node:net';

const file = process.env['RAINBELL_TEST_HOSTS'] ?? '';
const isLocal = (host) => /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/.test(host);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function recorded(...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : typeof first === 'object' ? first : { port: first, host: args[1] };
  const host = options.path === undefined ? String(options.host ?? 'localhost') : 'localhost';
  appendFileSync(file, `${host}\n`);
  if (isLocal(host)) return connect.apply(this, args);
  const error = Object.assign(new Error(`no network in this test: ${host}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  });
  process.nextTick(() => this.destroy(error));
  return this;
};

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function recorded(...args) {
  appendFileSync(file, `udp ${String(args.at(-2))}\n`);
  return send.apply(this, args);
};
