// A TLS host with a certificate that only its own authority vouches for, and a proxy that counts what goes through it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { listen } from '#test/setup/listen.ts';

export type TlsHost = { baseUrl: string; caPem: string };

/** `name` is the certificate's; any other than `localhost` makes it a certificate for another host. */
export async function startTlsHost(answer: RequestListener, name = 'localhost'): Promise<TlsHost> {
  const { caPem, key, cert } = makeCertificates(name);
  const server = createTlsServer({ key, cert }, answer);
  return { baseUrl: `https://localhost:${await listen(server)}`, caPem };
}

function makeCertificates(name: string): { caPem: string; key: string; cert: string } {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const request = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test CA'];
  openssl(...request, '-x509', '-days', '2', ...authority);
  openssl(...request, '-keyout', at('key.pem'), '-out', at('request.pem'), '-subj', `/CN=${name}`);
  writeFileSync(at('extensions'), `subjectAltName=DNS:${name}\nbasicConstraints=CA:FALSE\n`);
  const ca = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', at('request.pem'), ...ca, '-out', at('cert.pem'), '-extfile', at('extensions'));
  const read = (file: string) => readFileSync(at(file), 'utf8');
  return { caPem: read('ca.pem'), key: read('key.pem'), cert: read('cert.pem') };
}

/** `tunnels` lists the hosts that it connected to. With `credentials` it requires them (Basic, RFC 7617). */
export async function startProxy(credentials?: {
  username: string;
  password: string;
}): Promise<{ proxyUrl: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const wanted =
    credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  const proxy = createServer((request, response) => {
    tunnels.push(URL.parse(request.url ?? '')?.host ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      socket.on('error', () => {});
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="office"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    tunnels.push(request.url ?? '');
    const [, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { proxyUrl: `http://127.0.0.1:${await listen(proxy)}`, tunnels };
}
