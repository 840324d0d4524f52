// The short way for a cell that was just asked for: `GET /v2/weather/` answered from memory in front of Fastify, with the same
// checks and the same headers. Whatever it does not know for certain (a new address, an unknown token, an answer that has to
// be built) it leaves to the route, which then teaches it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { answerHeaders, notModifiedHeaders } from './answer-headers.ts';
import { holdsAlready } from '#service/http/etag.ts';
import { chooseEncoding } from './negotiation.ts';
import type { Encoding, WeatherAnswer } from './weather-answer.ts';

export type WeatherFastPath = {
  /** True: the request has been answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Tells it that the route found this address valid, and which cell it means. */
  remember(address: string, cellKey: string): void;
};

type Dependencies = {
  peekAnswer(cellKey: string): WeatherAnswer | undefined;
  /** Counts the request against the token's plan; undefined: nothing was counted. */
  peekAccess(token: string): object | undefined;
  /** Sent with every answer, as Fastify's CORS hook does. */
  corsHeaders: Readonly<Record<string, string>>;
};

const mostAddresses = 20_000;
const longestAddress = 200;
const scheme = 'Bearer ';

export function createWeatherFastPath({ peekAnswer, peekAccess, corsHeaders }: Dependencies): WeatherFastPath {
  const cellsByAddress = new LRUCache<string, string>({ max: mostAddresses });
  const encodingOf = rememberEncodings();

  return {
    remember(address, cellKey) {
      if (address.length <= longestAddress) cellsByAddress.set(address, cellKey);
    },
    answer(request, response) {
      if (request.method !== 'GET') return false;
      const cellKey = cellsByAddress.get(request.url ?? '');
      const token = bearerToken(request.headers.authorization);
      if (cellKey === undefined || token === undefined) return false;
      const answer = peekAnswer(cellKey);
      if (answer === undefined) return false;
      const isHeld = holdsAlready(request.headers['if-none-match'], answer.etag);
      const encoding = isHeld ? 'identity' : encodingOf(request.headers['accept-encoding']);
      const bytes = answer.ready(encoding);
      // The token comes last, since looking it up counts the request.
      if (bytes === undefined || !peekAccess(token)) return false;
      if (isHeld) {
        response.writeHead(304, { ...notModifiedHeaders(answer), ...corsHeaders });
        response.end();
      } else {
        const headers = { ...answerHeaders(answer, encoding), ...corsHeaders, 'content-length': bytes.length };
        response.writeHead(200, headers);
        response.end(bytes);
      }
      return true;
    },
  };
}

/** The plain form only; the route knows the rest. */
function bearerToken(authorization: string | undefined): string | undefined {
  return authorization?.startsWith(scheme) ? authorization.slice(scheme.length) : undefined;
}

/** Clients send a handful of different headers, over and over. */
function rememberEncodings(): (acceptEncoding: string | string[] | undefined) => Encoding {
  const known = new LRUCache<string, Encoding>({ max: 100 });
  return (header) => {
    const text = String(header ?? '');
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const encoding = chooseEncoding(text);
    known.set(text, encoding);
    return encoding;
  };
}
