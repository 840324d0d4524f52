// Serves the folder of the built screens, and nothing else, under `app://rainbell/`, an origin with a strict Content-Security-Policy.
import { protocol, type Session } from 'electron';
import { createScreenFiles, protectiveHeaders } from '@rainbell/core';

const scheme = 'app';
const host = 'rainbell';

export const screensAddress = `${scheme}://${host}/`;

export function isScreensAddress(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === `${scheme}:` && url.host === host;
}

/** Makes the scheme a standard and secure one. Electron demands this before it is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function serveAppScheme(session: Session, folder: string): void {
  // A MessagePort connects a screen with core.
  const connections = "'none'";
  const files = createScreenFiles(folder, connections);
  const headers = protectiveHeaders(connections);
  session.protocol.handle(scheme, async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead && isScreensAddress(request.url) ? await files.read(new URL(request.url).pathname) : undefined;
    if (!file) return new Response('File not found.', { status: 404, headers });
    return new Response(new Uint8Array(file.body), { headers: { ...headers, ...file.headers } });
  });
}
