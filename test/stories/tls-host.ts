// A TLS host with a certificate that only its own authority vouches for, and a proxy that counts what goes through it.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { issueCertificate } from '#test/electron/sign-in/issue-certificate.ts';
import { listen } from '#test/setup/listen.ts';

export type TlsHost = { baseUrl: string; caPem: string };

/** `name` is the certificate's; any other than `localhost` makes it a certificate for another host. */
export async function startTlsHost(answer: RequestListener, name = 'localhost'): Promise<TlsHost> {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const times = { validFrom: inDays(-1), validTo: inDays(1) };
  const authority = await issueCertificate({ name: 'Test CA', ...times });
  const server = createTlsServer(await issueCertificate({ name, issuer: authority, hosts: [name], ...times }), answer);
  return { baseUrl: `https://localhost:${await listen(server)}`, caPem: authority.cert };
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
