// The public keys of a service that also signs callbacks with its own keys: a JSON Web Key Set (RFC 7517) of
// Ed25519 keys (RFC 8037) at `/.well-known/webhook-keys.json`. A Rainbell extension (docs/delivery.md).
import { z } from 'zod';

export const webhookKeySetSchema = z.object({
  /** Newest first. A signature by any of them is valid. */
  keys: z
    .array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        /** 32 bytes in base64url. */
        x: z.string().regex(/^[\w-]{43}$/),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
        /** The JWK thumbprint (RFC 7638). */
        kid: z.string(),
      }),
    )
    .max(10),
});
export type WebhookKeySet = z.infer<typeof webhookKeySetSchema>;
