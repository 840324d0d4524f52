// The built screens (dist/renderer), served as they are on disk, with the headers that keep a page to itself. Only an HTML file
// is changed: each response gets a new nonce for the style elements that the page's scripts add.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

export type ScreenFile = { body: Buffer; headers: Record<string, string> };

export type ScreenFiles = ReturnType<typeof createScreenFiles>;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The nonce in renderer/index.html, where renderer/style-nonce.ts reads it. */
const noncePlaceholder = '__STYLE_NONCE__';

/** `connections`: as for `protectiveHeaders`. */
export function createScreenFiles(folder: string, connections: string) {
  const root = resolve(folder);
  const reads = new Map<string, Promise<Buffer>>();
  /** Concurrent requests for a file share one read: 256 connections that flood a host otherwise triple what an honest request waits. */
  const bytesOf = (file: string): Promise<Buffer> => {
    const reading = reads.get(file) ?? readFile(file).finally(() => reads.delete(file));
    reads.set(file, reading);
    return reading;
  };
  const page = (body: Buffer, name: string): ScreenFile => {
    const nonce = randomBytes(16).toString('base64url');
    return {
      body: Buffer.from(body.toString('utf8').replaceAll(noncePlaceholder, nonce)),
      headers: { ...headersFor(name), 'content-security-policy': contentSecurityPolicy(connections, nonce) },
    };
  };
  return {
    /**
     * Undefined if there is no such file. `path` is a URL's path, percent-encoded as received. The headers of an HTML file include
     * its own Content-Security-Policy, which replaces the one in `protectiveHeaders`.
     */
    async read(path: string): Promise<ScreenFile | undefined> {
      const name = fileName(path);
      if (name === undefined) return undefined;
      const file = resolve(join(root, name));
      if (!file.startsWith(root + sep)) return undefined;
      try {
        const body = await bytesOf(file);
        return extname(name) === '.html' ? page(body, name) : { body, headers: headersFor(name) };
      } catch {
        return undefined;
      }
    },
  };
}

/** Paths without a dot are addresses inside the screens, and the page finds its way from index.html. */
function fileName(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
    return extname(decoded) === '' ? 'index.html' : decoded.slice(1);
  } catch {
    return undefined;
  }
}

function headersFor(name: string): Record<string, string> {
  return {
    'content-type': contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream',
    // Vite puts a hash of the content into the names below assets/.
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

/**
 * The headers of every response of the screens' server. `connections` are the sources that a page may connect to, as in
 * `connect-src`: the host's own WebSocket, or none if a MessagePort connects the page with core.
 */
export function protectiveHeaders(connections: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(connections),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

function contentSecurityPolicy(connections: string, styleNonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Viewers lay out untrusted text in workers (renderer/viewers/run-task.ts).
    "worker-src 'self'",
    // Mantine adds style elements. Scripts set style attributes through the CSSOM, which needs no permission.
    `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`,
    // Core loads weather icons (core/forecast/weather-icons.ts); a picture from the network could carry data away.
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connections}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
