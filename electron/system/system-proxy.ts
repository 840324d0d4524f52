// The system's proxy settings, which Chromium reads and follows, also if a script (PAC) decides.
import { session } from 'electron';

/** Returns the URL of the proxy for a URL, or null to connect directly. Electron must be ready. */
export async function resolveSystemProxy(url: string): Promise<string | null> {
  return findProxy(await session.defaultSession.resolveProxy(url));
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTPS: 'https' };

/** Returns the first proxy of Chromium's answer, such as `PROXY 10.0.0.1:8080;DIRECT`, except SOCKS, which core can't use. */
export function findProxy(answer: string): string | null {
  for (const entry of answer.split(';')) {
    const [kind = '', host = ''] = entry.trim().split(/\s+/);
    if (kind === 'DIRECT') return null;
    if (schemes[kind] !== undefined) return `${schemes[kind]}://${host}`;
  }
  return null;
}
