// Every secret that passes between core and the host's store, so that none of them leaves in diagnostics, wherever it got to.
import { z } from 'zod';
import { maskText, parseJsonObject } from '@rainbell/shared';
import type { SecretsPort } from '../ports/host.ts';
import { formsOf, minSecretLength } from '../traffic/mask.ts';

const maxSecrets = 500;

const tokenSchema = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });

export function watchSecrets(store: SecretsPort) {
  const seen = new Set<string>();

  function note(value: string | null): void {
    for (const secret of secretsIn(value)) {
      // The newest stay, in case tokens are refreshed for a year.
      seen.delete(secret);
      seen.add(secret);
    }
    for (const oldest of seen) {
      if (seen.size <= maxSecrets) break;
      seen.delete(oldest);
    }
  }

  const port: SecretsPort = {
    get protection() {
      return store.protection;
    },
    ...(store.onReadable && { onReadable: store.onReadable }),
    stateOf: (name) => store.stateOf(name),
    async read(name) {
      const value = await store.read(name);
      note(value);
      return value;
    },
    async write(name, value) {
      note(value);
      await store.write(name, value);
    },
  };

  return {
    port,
    note,
    /** The text without any secret that was seen, as it is, encoded or in JSON. */
    mask(text: string): string {
      let masked = text;
      for (const secret of [...seen].toSorted((one, other) => other.length - one.length)) {
        const base64 = Buffer.from(secret, 'utf8').toString('base64');
        for (const form of [...formsOf(secret), base64]) masked = masked.replaceAll(form, maskText);
      }
      return masked;
    },
  };
}

function secretsIn(value: string | null): string[] {
  if (value === null) return [];
  const token = tokenSchema.safeParse(parseJsonObject(value));
  const secrets = token.success ? [token.data.accessToken, token.data.refreshToken ?? ''] : [value];
  return secrets.filter((secret) => secret.length >= minSecretLength);
}
