// How the receiver can be reached: only from this machine and without TLS, unless the user chose otherwise. The choice is in
// app.sqlite, the authority's key among the secrets. Machines in the LAN need a token in the path. The code that creates
// certificates is loaded only for TLS, because it takes as long to load as all the rest.
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import { openDocument } from '../../database/stored-list.ts';
import type { SecretsPort } from '../../ports/host.ts';
import type { KeyAndCertificate, ListenAccess } from './listen-access.ts';

const certificates = () => import('./receiver-certificate.ts');

const choiceSchema = z.object({ tls: z.boolean(), lan: z.boolean(), token: z.string().regex(/^[\w-]{20,100}$/) });

/** The second one is used while the first is stored but can't be read: users trust the first, so nothing replaces it. */
const secretNames = ['receiver-authority', 'receiver-authority-replacement'] as const;
type Authority = KeyAndCertificate & { isReplacement: boolean };
const authoritySchema = z.object({ key: z.string(), cert: z.string() });

type ReceiverAccessOptions = {
  db: DatabaseSync;
  secrets: SecretsPort;
  clock: Clock;
  /** This machine's addresses in its networks. */ addresses?: () => string[];
};

export function createReceiverAccess({ db, secrets, clock, addresses = lanAddresses }: ReceiverAccessOptions) {
  // Unless it can be read, the receiver is closed to others.
  const empty = { tls: false, lan: false, token: randomBytes(18).toString('base64url') };
  const choice = openDocument(db, { name: 'receiver access', schema: choiceSchema, empty });
  let authority: Promise<Authority> | undefined;
  let knownPem: string | undefined;

  async function readAuthority(): Promise<Authority> {
    const found = await findAuthority();
    knownPem = found.cert;
    return found;
  }

  async function findAuthority(): Promise<Authority> {
    const { isAuthorityFresh, makeAuthority } = await certificates();
    for (const name of secretNames) {
      const json = await secrets.read(name);
      if (json === null && secrets.stateOf(name) !== 'absent') continue;
      const isReplacement = name !== secretNames[0];
      const stored = parseAuthority(json);
      if (stored && isAuthorityFresh(stored, clock.now())) return { ...stored, isReplacement };
      const made = await makeAuthority(clock.now());
      await secrets.write(name, JSON.stringify(made));
      return { ...made, isReplacement };
    }
    // Neither can be read: this one is for this run only.
    return { ...(await makeAuthority(clock.now())), isReplacement: true };
  }

  function currentAuthority(): Promise<Authority> {
    authority ??= readAuthority().catch((error: unknown) => {
      authority = undefined;
      throw error;
    });
    return authority;
  }

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
      const current = tls ? await currentAuthority() : undefined;
      const scheme = tls ? 'https' : 'http';
      return {
        port,
        tls,
        lan,
        lanUrls: lan && port !== null ? addresses().map((address) => `${scheme}://${address}:${port}/${token}/`) : [],
        authority: current
          ? {
              pem: current.cert,
              ...(await certificates()).describeAuthority(current.cert),
              isReplacement: current.isReplacement,
            }
          : null,
      };
    },
    choose: ({ tls, lan }: { tls: boolean; lan: boolean }): void => choice.replace({ ...choice.get(), tls, lan }),
    /**
     * Reads the stored authority again if a replacement is in use, for instance once a keyring opens. Returns whether another
     * one is in use now, so that the receiver has to listen again.
     */
    async readAgain(): Promise<boolean> {
      const before = await authority?.catch(() => undefined);
      if (!before?.isReplacement) return false;
      authority = undefined;
      return choice.get().tls && (await currentAuthority()).cert !== before.cert;
    },
    /** Whether addresses of the receiver begin with https. */
    isTls: (): boolean => choice.get().tls,
    /** Whether other machines of the local network may connect. */
    isLan: (): boolean => choice.get().lan,
    /** The authority's certificate, once it was needed. */
    authorityPem: (): string | undefined => knownPem,
  };
}

function parseAuthority(json: string | null): KeyAndCertificate | undefined {
  try {
    return authoritySchema.parse(JSON.parse(json ?? ''));
  } catch {
    return undefined;
  }
}

/** IPv4 alone: IPv6 addresses of machines change by the hour. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
