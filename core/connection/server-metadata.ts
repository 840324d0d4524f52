// What an authorization server says about itself (RFC 8414). Everything here is optional: the interface has no metadata, so a
// service without it works too.
import { z } from 'zod';
import type { Connection } from './connection.ts';
import { responseLimits } from '../http/response-limits.ts';

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
  for (const name of documents) {
    const response = await http.send({
      method: 'GET',
      url: `${origin}/.well-known/${name}`,
      headers: [['accept', 'application/json']],
      limit: responseLimits.metadata,
    });
    if (response.status !== 200) continue;
    try {
      return metadataSchema.parse((await response.json()).value);
    } catch {
      // Some servers answer any path with a page.
    }
  }
  return undefined;
}

/** RFC 8414's, and the older one of OpenID Connect, which is all that many servers have. */
const documents = ['oauth-authorization-server', 'openid-configuration'];
