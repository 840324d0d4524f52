// The sandbox's credentials follow from a key file. The database holds hashes alone, and the credentials can still be
// shown at every start.
import { readOrCreateKey } from '#service/secrets/key-file.ts';
import { derivedText, secretLength } from '#service/secrets/random-text.ts';

export type SandboxCredentials = { clientId: string; clientSecret: string; password: string; accountSuffix: string };

/** From `sandbox.key` of the folder, which is made where it is missing. */
export function sandboxCredentials(folder: string): SandboxCredentials {
  const key = readOrCreateKey(folder, 'sandbox.key');
  return {
    clientId: `sandbox${derivedText(key, 'client id', 13)}`,
    clientSecret: derivedText(key, 'client secret', secretLength),
    password: derivedText(key, 'password', 24),
    accountSuffix: derivedText(key, 'account', 6).toLowerCase(),
  };
}
