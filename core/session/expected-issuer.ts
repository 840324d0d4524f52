// Which authorization server a response has to name as `iss` (RFC 9207 §2.4). Without that check, a malicious service could
// send the user on to another one and have the app hand that service's code to it (a mix-up attack, RFC 9700 §4.4).
import { type Clock, within } from '@rainbell/shared';
import type { Connection } from '../connection/connection.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';

export type ExpectedIssuer = {
  /** The values of `iss` that name the connection's service; any other one is refused. */
  accepted: readonly string[];
  /** The service announced `iss`, so a response without it is refused. */
  isRequired: boolean;
};

const timeoutMs = 5_000;

/**
 * Returns the issuer that the service's metadata name, if its origin is one of the connection's own; a service could claim to
 * be any other. Without metadata, returns the connection's URLs. Never throws.
 */
export async function findExpectedIssuer(connection: Connection, clock: Clock): Promise<ExpectedIssuer> {
  const { baseUrl, profile } = connection;
  const urls = [...new Set([profile.authUrl, baseUrl])];
  const origins = urls.flatMap((url) => URL.parse(url)?.origin ?? []);
  const [server] = origins;
  const metadata = server === undefined ? undefined : await within(clock, timeoutMs, fetchMetadata(connection, server));
  const issuer = metadata?.issuer;
  const isOwn = issuer !== undefined && origins.includes(URL.parse(issuer)?.origin ?? '');
  return {
    accepted: isOwn ? [issuer] : urls.flatMap((url) => [url, `${url}/`]),
    isRequired: metadata?.authorization_response_iss_parameter_supported === true,
  };
}
