// The website's few files: one stylesheet, one script, the logo, the font. All are served from memory, so that many requests
// cost little. The URLs of stylesheet and script contain their hash, so they can be cached forever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from '@rainbell/shared';
import { etagOf, holdsAlready } from '../../http/etag.ts';
import { siteScript } from './script.ts';
import { stylesheet } from './stylesheet.ts';

export const stylesheetPath = `/assets/${nameOf(stylesheet)}.css`;
export const scriptPath = `/assets/${nameOf(siteScript)}.js`;

function nameOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

const sign =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
  '<path d="M9.2 21.4c1.3-1.1 1.9-2.6 1.9-4.5v-2.1a4.9 4.9 0 0 1 9.8 0v2.1c0 1.9.6 3.4 1.9 4.5z" fill="none" stroke="#fff" ' +
  'stroke-width="2" stroke-linejoin="round"/><path d="M14 24.4a2.2 2.2 0 0 0 4 0M16 9.9V8.2M7.4 9.2 6 12.2M24.6 9.2l1.4 3" ' +
  'fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

const forEver = 'public, max-age=31536000, immutable';

type Asset = { content: string | Buffer; etag: string; type: string; cacheControl: string };

export function registerAssets(server: FastifyInstance): void {
  const styles = asset(stylesheet, 'text/css; charset=utf-8', forEver);
  const script = asset(siteScript, 'text/javascript; charset=utf-8', forEver);
  const mark = asset(sign, 'image/svg+xml', 'public, max-age=86400');
  const typeface = once(() => {
    const file = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
    return asset(readFileSync(createRequire(import.meta.url).resolve(file)), 'font/woff2', forEver);
  });
  server.get(stylesheetPath, (request, reply) => send(request, reply, styles));
  server.get(scriptPath, (request, reply) => send(request, reply, script));
  server.get('/assets/rainbell.svg', (request, reply) => send(request, reply, mark));
  server.get('/favicon.ico', (_request, reply) => reply.redirect('/assets/rainbell.svg', 301));
  server.get('/assets/inter.woff2', (request, reply) => send(request, reply, typeface()));
}

function asset(content: string | Buffer, type: string, cacheControl: string): Asset {
  return { content, etag: etagOf(content), type, cacheControl };
}

function send(request: FastifyRequest, reply: FastifyReply, { content, etag, type, cacheControl }: Asset) {
  void reply.headers({ etag, 'cache-control': cacheControl });
  if (holdsAlready(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(content);
}
