// What an authorization server says about itself (RFC 8414). Everything here is optional: the interface has no metadata, so a
// service without it works too.
import { z } from 'zod';
import type { Connection } from './connection.ts';
import { responseLimits } from '#core/http/response-limits.ts';

const metadataSchema = z.object({
  issuer: z.string().max(2_000).optional().catch(undefined),
  revocation_endpoint: z.string().max(2_000).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});

export type ServerMetadata = z.infer<typeof metadataSchema>;

/** Returns undefined if that origin has no usable metadata. Throws NETWORK if it cannot be reached. */
export async function fetchMetadata(
  { http }: Pick<Connection, 'http'>,
  origin: string,
): Promise<ServerMetadata | undefined> {
  const exchange = await http.send({
    method: 'GET',
    url: `${origin}/.well-known/oauth-authorization-server`,
    headers: [['accept', 'application/json']],
    limit: responseLimits.metadata,
  });
  if (exchange.status !== 200) return undefined;
  try {
    return metadataSchema.parse((await exchange.json()).value);
  } catch {
    return undefined;
  }
}
