// GET /v2/icons/<icon_name> (docs/interface.md §4.4): one static SVG per icon name, public, with any query string, cacheable for a
// day. An SVG is read on its first request and then kept in memory by that server.
import type { FastifyInstance } from 'fastify';
import { iconNames } from '@rainbell/contract/service-api';
import { ServiceError, quotable } from '../errors/service-error.ts';
import { drawnIcons } from './drawn-icons.ts';
import { hasYrSymbol, readYrSymbol } from './yr-symbols.ts';
import { z } from 'zod';
import { etagOf, holdsAlready } from '../http/etag.ts';
import type { Operation } from '../http/operation.ts';

type Icon = { svg: string; etag: string };

const iconHeaders = {
  // An icon may change with a version of the service; until then its ETag makes revalidation a 304.
  'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
  // Opened as a page, an icon is only a picture.
  'content-security-policy': "default-src 'none'; img-src data:",
  'x-content-type-options': 'nosniff',
};

const getIcon: Operation = {
  id: 'get-icon',
  group: 'Weather',
  title: 'Get an icon',
  description: "The image that a weather point's icon field links to. No token is required.",
  parameters: [
    { name: 'icon_name', in: 'path', schema: z.string(), example: 'partly_sunny', meaning: 'Name of the icon.' },
  ],
  responses: [{ status: 200, meaning: 'An SVG image.', schema: z.string(), type: 'image/svg+xml' }],
  hasEtag: true,
  access: 'none',
};

export function registerIconRoutes(server: FastifyInstance): void {
  const icons = new Map<string, Icon>();

  async function iconNamed(name: string): Promise<Icon> {
    const known = icons.get(name);
    if (known) return known;
    const svg = await readIcon(name);
    const icon = { svg, etag: etagOf(svg) };
    icons.set(name, icon);
    return icon;
  }

  server.get<{ Params: { icon_name: string } }>(
    '/v2/icons/:icon_name',
    { config: { operation: getIcon } },
    async (request, reply) => {
      const { svg, etag } = await iconNamed(request.params.icon_name);
      void reply.headers({ ...iconHeaders, etag });
      if (holdsAlready(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('image/svg+xml').send(svg);
    },
  );
}

async function readIcon(name: string): Promise<string> {
  const drawn = Object.hasOwn(drawnIcons, name) ? drawnIcons[name] : undefined;
  if (drawn !== undefined) return drawn;
  if (hasYrSymbol(name)) return readYrSymbol(name);
  throw new ServiceError('not_found', `No icon is named ${quotable(name)}. The icons are ${iconNames.join(', ')}.`);
}
