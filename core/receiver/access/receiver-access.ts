// How the receiver can be reached: only from this machine and without TLS, unless the user chose otherwise. The choice is in
// app.sqlite, the authority's key among the secrets. Machines in the LAN need a token in the path. The code that creates
// certificates is loaded only for TLS, because it takes as long to load as all the rest.
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Clock, parseJsonObject } from '@rainbell/shared';
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import { openDocument } from '../../database/stored-document.ts';
import { AppFailure } from '../../errors/app-failure.ts';
import { limitParallel } from '../../http/limit-parallel.ts';
import type { SecretsPort } from '../../ports/host.ts';
import type { KeyAndCertificate, ListenAccess } from './receiver-limits.ts';

const certificates = () => import('./receiver-certificate.ts');

const choiceSchema = z.object({ tls: z.boolean(), lan: z.boolean(), token: z.string().regex(/^[\w-]{20,100}$/) });

const secretName = 'receiver-authority';
const authoritySchema = z.object({ key: z.string(), cert: z.string() });

type ReceiverAccessOptions = {
  db: DatabaseSync;
  secrets: SecretsPort;
  clock: Clock;
  /** This machine's addresses in its networks. */
  addresses?: () => string[];
};

export function createReceiverAccess({ db, secrets, clock, addresses = lanAddresses }: ReceiverAccessOptions) {
  // Unless it can be read, the receiver is closed to others.
  const empty = { tls: false, lan: false, token: randomBytes(18).toString('base64url') };
  const choice = openDocument(db, { name: 'receiver access', schema: choiceSchema, empty });
  const inTurn = limitParallel(1);
  let authority: KeyAndCertificate | undefined;

  /** Throws AppFailure STORAGE while it is locked: users trust the stored one, so nothing replaces it. */
  async function readAuthority(): Promise<KeyAndCertificate> {
    const { isAuthorityFresh, makeAuthority } = await certificates();
    const json = await secrets.read(secretName);
    if (json === null && secrets.stateOf(secretName) === 'locked')
      throw new AppFailure('STORAGE', 'Unlock the keyring of this system, which has the receiver’s certificate.');
    const stored = authoritySchema.safeParse(parseJsonObject(json ?? '')).data;
    if (stored && isAuthorityFresh(stored, clock.now())) return stored;
    const made = await makeAuthority(clock.now());
    await secrets.write(secretName, JSON.stringify(made));
    return made;
  }

  /** In turn, so that two never make one each; after a failure, the next call tries again. */
  const currentAuthority = () => inTurn(async () => (authority ??= await readAuthority()));

  return {
    /** The first segment of the path of the URLs for other machines. */
    token: choice.get().token,
    async forListening(): Promise<ListenAccess> {
      const { tls, lan: isLan, token } = choice.get();
      const lan = isLan ? addresses() : [];
      const lanToken = isLan ? token : null;
      if (!tls) return { tls: null, lanToken };
      const { makeLeaf } = await certificates();
      return { tls: await makeLeaf(await currentAuthority(), lan, clock.now()), lanToken };
    },
    async describe(port: number | null): Promise<ReceiverAccess> {
      const { tls, lan, token } = choice.get();
      const current = tls ? await currentAuthority().catch(() => undefined) : undefined;
      const scheme = tls ? 'https' : 'http';
      return {
        port,
        tls,
        lan,
        lanUrls: lan && port !== null ? addresses().map((address) => `${scheme}://${address}:${port}/${token}/`) : [],
        authority: current ? { pem: current.cert, ...(await certificates()).describeAuthority(current.cert) } : null,
      };
    },
    choose: ({ tls, lan }: { tls: boolean; lan: boolean }): void => choice.replace({ ...choice.get(), tls, lan }),
    /** Whether addresses of the receiver begin with https. */
    isTls: (): boolean => choice.get().tls,
    /** Whether other machines of the local network may connect. */
    isLan: (): boolean => choice.get().lan,
    /** The authority's certificate, once it was needed. */
    authorityPem: (): string | undefined => authority?.cert,
  };
}

/** IPv4 alone: IPv6 addresses of machines change by the hour. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
