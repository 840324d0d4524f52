// The built screens (dist/renderer), served as they lie on disk, each with the headers that keep a page to itself.
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

export type ScreenFile = { body: Buffer; headers: Record<string, string> };

export type ScreenFiles = {
  /** Undefined where there is no such file. `path` is a URL's path, percent-encoded as it came. */
  read: (path: string) => Promise<ScreenFile | undefined>;
};

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

export function createScreenFiles(folder: string): ScreenFiles {
  const root = resolve(folder);
  const reads = new Map<string, Promise<Buffer>>();
  /** Who asks for a file that is being read waits for the same bytes, so that a crowd costs one read. */
  const bytesOf = (file: string): Promise<Buffer> => {
    const reading = reads.get(file) ?? readFile(file).finally(() => reads.delete(file));
    reads.set(file, reading);
    return reading;
  };
  return {
    async read(path) {
      const name = fileName(path);
      if (name === undefined) return undefined;
      const file = resolve(join(root, name));
      if (!file.startsWith(root + sep)) return undefined;
      try {
        return { body: await bytesOf(file), headers: headersFor(name) };
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
 * The headers of every answer that carries screens. `connections` are the sources that a page may connect to, as in
 * `connect-src`: the host's own WebSocket, or nothing where a MessagePort is the line.
 */
export function protectiveHeaders(connections: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine sets style attributes and style elements.
    "style-src 'self' 'unsafe-inline'",
    // Icons come from the connected service.
    "img-src 'self' data: http://127.0.0.1:* http://localhost:* https:",
    "font-src 'self' data:",
    `connect-src ${connections}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
