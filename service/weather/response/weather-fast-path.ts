// The fast path for recently requested cells: responds to `GET /v2/weather/` from memory before Fastify, with the same checks and
// headers. Passes everything it is not sure of (a new URL, an unknown token, a response to build) to the route, which then updates
// it.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { LatLng } from '@rainbell/contract/service-api';
import { createCache } from '../../cache/create-cache.ts';
import { responseHeaders, notModifiedHeaders, chooseEncoding, type WeatherResponse } from './weather-response.ts';
import { holdsAlready } from '../../http/etag.ts';

export type WeatherFastPath = ReturnType<typeof createWeatherFastPath>;

type Dependencies = {
  peekResponse(place: LatLng): WeatherResponse | undefined;
  /** Counts the request against the token's plan and returns headers about it; undefined: nothing was counted. */
  countRequest(token: string): OutgoingHttpHeaders | undefined;
  /** Sent with every response, as by Fastify's CORS hook. */
  corsHeaders: Readonly<Record<string, string>>;
};

const maxAddresses = 20_000;
const maxAddressLength = 200;
const scheme = 'Bearer ';

export function createWeatherFastPath({ peekResponse, countRequest, corsHeaders }: Dependencies) {
  const placesByAddress = createCache<string, LatLng>(maxAddresses);

  return {
    remember(address: string, place: LatLng) {
      if (address.length <= maxAddressLength) placesByAddress.set(address, place);
    },
    respond(request: IncomingMessage, response: ServerResponse): boolean {
      if (request.method !== 'GET') return false;
      const place = placesByAddress.get(request.url ?? '');
      const token = bearerToken(request.headers.authorization);
      if (place === undefined || token === undefined) return false;
      const cached = peekResponse(place);
      if (cached === undefined) return false;
      const isHeld = holdsAlready(request.headers['if-none-match'], cached.etag);
      const encoding = isHeld ? 'identity' : chooseEncoding(request.headers['accept-encoding']?.toString());
      const bytes = cached.ready(encoding);
      // The token is last, because its lookup counts the request.
      const counted = bytes === undefined ? undefined : countRequest(token);
      if (bytes === undefined || counted === undefined) return false;
      if (isHeld) {
        response.writeHead(304, { ...notModifiedHeaders(cached), ...corsHeaders, ...counted });
        response.end();
      } else {
        const headers = {
          ...responseHeaders(cached, encoding),
          ...corsHeaders,
          ...counted,
          'content-length': bytes.length,
        };
        response.writeHead(200, headers);
        response.end(bytes);
      }
      return true;
    },
  };
}

/** Reads only the plain form; the route handles the rest. */
function bearerToken(authorization: string | undefined): string | undefined {
  return authorization?.startsWith(scheme) ? authorization.slice(scheme.length) : undefined;
}
