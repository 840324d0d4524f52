// GET /v2/icons/<icon_name> (§4.4): one static SVG per icon name, for anyone, with any query string, to be kept for ever.
// An SVG is read at the first request for it and then kept by the server that answered.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { ServiceError, quotable } from '#service/errors/service-error.ts';
import { drawnIcons } from './drawn-icons.ts';
import { hasYrSymbol, readYrSymbol } from './yr-symbols.ts';

type Icon = { svg: string; etag: string };

const iconHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened as a page of its own, an icon is a picture and nothing more.
  'content-security-policy': "default-src 'none'; img-src data:",
  'x-content-type-options': 'nosniff',
};

export function registerIconRoutes(server: FastifyInstance): void {
  const icons = new Map<string, Icon>();

  async function iconNamed(name: string): Promise<Icon> {
    const known = icons.get(name);
    if (known) return known;
    const svg = await readIcon(name);
    const icon = { svg, etag: `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"` };
    icons.set(name, icon);
    return icon;
  }

  server.get<{ Params: { name: string } }>('/v2/icons/:name', async (request, reply) => {
    const { svg, etag } = await iconNamed(request.params.name);
    void reply.headers({ ...iconHeaders, etag });
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('image/svg+xml').send(svg);
  });
}

async function readIcon(name: string): Promise<string> {
  const drawn = Object.hasOwn(drawnIcons, name) ? drawnIcons[name] : undefined;
  if (drawn !== undefined) return drawn;
  if (hasYrSymbol(name)) return readYrSymbol(name);
  throw new ServiceError(
    'not_found',
    `There is no icon named ${quotable(name)}. The icons are ${iconNames.join(', ')}.`,
  );
}

/** RFC 9110 §13.1.2: a list of tags, compared weakly, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}
