// GET /v2/icons/<icon_name> (docs/interface.md §4.4): one static SVG per icon name, public, with any query string, cacheable for a
// day. An SVG is read on its first request and then kept in memory by that server.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { iconNames } from '@rainbell/contract/service-api';
import { ServiceError, quotable } from '../errors/service-error.ts';
import { drawnIcons } from './drawn-icons.ts';
import { z } from 'zod';
import { etagOf, holdsAlready } from '../http/etag.ts';
import { inPath, type Operation } from '../http/operation.ts';

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
  parameters: [inPath('icon_name', 'partly_sunny', 'Name of the icon.')],
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

/** Returns an SVG document. Throws a ServiceError (404) if there is no such icon. */
export async function readIcon(name: string): Promise<string> {
  const drawn = Object.hasOwn(drawnIcons, name) ? drawnIcons[name] : undefined;
  if (drawn !== undefined) return drawn;
  if (Object.hasOwn(symbols, name)) return readYrSymbol(`${symbols[name]}.svg`);
  throw new ServiceError('not_found', `No icon is named ${quotable(name)}. The icons are ${iconNames.join(', ')}.`);
}

// Icons from @yr/weather-symbols (MIT), with the few colors changed that would not be visible on white or on dark pages.

/** Icon name to the package's symbol; `d` is by day, `n` by night. */
const symbols: Readonly<Record<string, string>> = {
  sunny: '01d',
  clear: '01d',
  clear_moon: '01n',
  partly_sunny: '03d',
  partly_cloudy: '03d',
  partly_moon: '03n',
  cloudy: '04',
  foggy: '15',
  rainy: '09',
  snow_flurries: '49',
  snowy: '13',
  stormy: '22',
};

/** Light clouds vanish on white; moon and rain vanish on black. An edge and colors of medium lightness serve both. */
const recoloured: readonly (readonly [from: string, to: string])[] = [
  ['<symbol id="cloud">\n    <path ', '<symbol id="cloud">\n    <path stroke="#8b95a1" stroke-width="2" '],
  ['#686e73', '#7b8794'],
  ['#6a7075', '#7b8794'],
  ['#0062bf', '#1e88e5'],
  ['#47c0e3', '#1a9cc9'],
  ['#999999', '#8b95a1'],
  ['#ffdd15', '#f0a800'],
  ['#ffaf22', '#f79b00'],
  ['#f09900', '#d97400'],
];

/** Rejects if the package is incomplete. */
async function readYrSymbol(fileName: string): Promise<string> {
  // The package's files are not bundled, so they are resolved at run time.
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve('@yr/weather-symbols/package.json');
  const file = path.join(path.dirname(packageFile), 'dist', 'svg', fileName);
  const drawn = await readFile(file, 'utf8');
  return recoloured.reduce((svg, [from, to]) => svg.replaceAll(from, to), drawn);
}
