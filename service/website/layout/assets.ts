// The website's few files: one stylesheet, the sign, the typeface. The stylesheet's address has its hash in it, so it can
// be kept for ever.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { stylesheet } from './stylesheet.ts';

export const stylesheetPath = `/assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`;

const sign =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
  '<path d="M9.2 21.4c1.3-1.1 1.9-2.6 1.9-4.5v-2.1a4.9 4.9 0 0 1 9.8 0v2.1c0 1.9.6 3.4 1.9 4.5z" fill="none" stroke="#fff" ' +
  'stroke-width="2" stroke-linejoin="round"/><path d="M14 24.4a2.2 2.2 0 0 0 4 0M16 9.9V8.2M7.4 9.2 6 12.2M24.6 9.2l1.4 3" ' +
  'fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

const forEver = 'public, max-age=31536000, immutable';

export function registerAssets(server: FastifyInstance): void {
  const find = createRequire(import.meta.url);
  server.get(stylesheetPath, (_request, reply) =>
    reply.header('cache-control', forEver).type('text/css; charset=utf-8').send(stylesheet),
  );
  server.get('/assets/rainbell.svg', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(sign),
  );
  server.get('/favicon.ico', (_request, reply) => reply.redirect('/assets/rainbell.svg', 301));
  server.get('/assets/inter.woff2', async (_request, reply) => {
    const file = find.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
    return reply
      .header('cache-control', forEver)
      .type('font/woff2')
      .send(await readFile(file));
  });
}
