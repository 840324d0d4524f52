// Reads a token response (docs/interface.md §4.2, RFC 6749 section 5.1) tolerantly: usable values are used, and each deviation is
// listed with its section for the user. Anything ambiguous or unsafe is rejected.
import type { Deviation } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { parseJsonObject } from '@rainbell/shared';
import type { HttpResponse } from '../http/http-sender.ts';
import { headerOf, hostOf } from '../http/http-headers.ts';

export type ReceivedToken = {
  accessToken: string;
  /** Null if the service did not send a usable value: then only a 401 shows that the token expired. */
  expiresInSeconds: number | null;
  refreshToken: string | undefined;
  scope: string | undefined;
  deviations: Deviation[];
};

/** Throws AppFailure PROTOCOL. */
export function readTokenResponse(response: HttpResponse): ReceivedToken {
  const deviations: Deviation[] = [];
  const members = tokenMembers(response, deviations);
  if (!members) throw breach(response, 'it is neither a JSON object nor form-encoded');
  return readTokenMembers(members, deviations, (reason) => breach(response, reason));
}

/** The same members, from the fragment of the implicit flow (RFC 6749 §4.2.2). */
export function readTokenMembers(
  members: Readonly<Record<string, unknown>>,
  deviations: Deviation[],
  breachOf: (reason: string) => AppFailure,
): ReceivedToken {
  const accessToken = readAccessToken(members['access_token'], deviations);
  if (accessToken === undefined && members['id_token'] !== undefined) {
    throw breachOf(
      'it has an id_token but no access_token; ask the operator of the service for an OAuth 2.0 access token',
    );
  }
  if (typeof accessToken !== 'string' || accessToken === '') throw breachOf('"access_token" is missing');
  // It is put into a header as it is.
  if (!/^[\x21-\x7E]+$/.test(accessToken))
    throw breachOf('"access_token" has characters that are not allowed in a header');
  checkTokenType(members['token_type'], deviations, breachOf);
  return {
    accessToken,
    expiresInSeconds: readLifetime(members['expires_in'], deviations),
    refreshToken: readOptionalText('refresh_token', members, deviations),
    scope: readScope(members, deviations),
    deviations,
  };
}

/** A whole number is the token's text. */
function readAccessToken(value: unknown, deviations: Deviation[]): unknown {
  const text = typeof value === 'number' || JSON.isRawJSON(value) ? JSON.stringify(value) : '';
  if (!/^\d+$/.test(text)) return value;
  deviations.push({ section: 'RFC 6749 §5.1', message: '“access_token” is a number instead of a string.' });
  return text;
}

/** The members of a JSON object or a form; undefined for anything else. */
export function tokenMembers(response: HttpResponse, deviations: Deviation[]): Record<string, unknown> | undefined {
  const text = response.body.toString('utf8').trim();
  const type = headerOf(response.headers, 'content-type') ?? '';
  const json = parseJsonObject(text);
  if (json) {
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      deviations.push({
        section: 'RFC 6749 §5.1',
        message:
          type === ''
            ? 'The response is JSON, but has no content type.'
            : `The response is JSON, but its content type is “${type}”.`,
      });
    }
    return json;
  }
  if (!/^[\w.~%+-]+=[^<>{}"]*$/.test(text)) return undefined;
  deviations.push({ section: 'RFC 6749 §5.1', message: 'The response is form-encoded instead of JSON.' });
  return Object.fromEntries(new URLSearchParams(text));
}

function checkTokenType(type: unknown, deviations: Deviation[], breachOf: (reason: string) => AppFailure): void {
  if (type === undefined || type === null || type === '') {
    deviations.push({ section: 'RFC 6749 §5.1', message: '“token_type” is missing; bearer is assumed.' });
    return;
  }
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
  if (isBearer) return;
  if (typeof type !== 'string' || !bearerNames.test(type)) {
    throw breachOf('"token_type" is not bearer, the only type that Rainbell supports');
  }
  deviations.push({ section: 'RFC 6749 §5.1', message: `“token_type” is “${type}”; the token is sent as bearer.` });
}

/** What some servers write for bearer. */
const bearerNames = /^(jwt|bearer ?token|access ?token)$/i;

const maxLifetimeSeconds = 10 * 365 * 86_400;

function readLifetime(value: unknown, deviations: Deviation[]): number | null {
  const section = 'RFC 6749 §5.1';
  const unknown = (message: string): null => {
    deviations.push({ section, message: `${message}; the token will be used until the service refuses it.` });
    return null;
  };
  if (value === undefined || value === null || value === '') return unknown('“expires_in” is missing');
  const seconds = typeof value === 'number' ? value : typeof value === 'string' ? Number(value.trim()) : NaN;
  if (!Number.isFinite(seconds)) return unknown('“expires_in” is not a number');
  if (seconds <= 0) return unknown(`“expires_in” is ${seconds}`);
  if (typeof value === 'string') deviations.push({ section, message: '“expires_in” is a string instead of a number.' });
  if (!Number.isInteger(seconds)) deviations.push({ section, message: '“expires_in” is not a whole number.' });
  return Math.min(Math.max(1, Math.floor(seconds)), maxLifetimeSeconds);
}

function readScope(members: Readonly<Record<string, unknown>>, deviations: Deviation[]): string | undefined {
  const { scope } = members;
  const isList = Array.isArray(scope) && scope.every((part) => typeof part === 'string');
  if (!isList) return readOptionalText('scope', members, deviations);
  deviations.push({ section: 'RFC 6749 §3.3', message: '“scope” is a list instead of a string.' });
  return scope.join(' ');
}

function readOptionalText(
  name: string,
  members: Readonly<Record<string, unknown>>,
  deviations: Deviation[],
): string | undefined {
  const value = members[name];
  if (typeof value === 'string' && value !== '') return value;
  if (value !== undefined) {
    deviations.push({ section: 'RFC 6749 §5.1', message: `“${name}” is not a string and was ignored.` });
  }
  return undefined;
}

function breach(response: HttpResponse, reason: string): AppFailure {
  return new AppFailure(
    'PROTOCOL',
    `${hostOf(response.request.url)} returned a token response that the API spec does not allow: ${reason}.`,
    { httpStatus: response.status, trafficId: response.trafficId },
  );
}
