// How the receiver can be reached: only from this machine and without TLS, unless the user chose otherwise. The choice is in
// app.sqlite, the authority's key among the secrets. Machines in the LAN need a token in the path. The code that creates
// certificates is loaded only for TLS, because it takes as long to load as all the rest.
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import type { ReceiverAccess } from '@rainbell/contract/app-rpc';
import type { SecretsPort } from '../../ports/host.ts';
import type { KeyAndCertificate, ListenAccess } from './listen-access.ts';

const certificates = () => import('./receiver-certificate.ts');

const choiceSchema = z.object({
  tls: z.boolean(),
  lan: z.boolean(),
  token: z.string().regex(/^[\w-]{20,100}$/),
});

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
  const write = db.prepare("INSERT OR REPLACE INTO documents (name, json) VALUES ('receiver access', ?)");
  let choice = readChoice(db) ?? { tls: false, lan: false, token: randomBytes(18).toString('base64url') };
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
    token: choice.token,
    async forListening(): Promise<ListenAccess> {
      const lan = choice.lan ? addresses() : [];
      const lanToken = choice.lan ? choice.token : null;
      if (!choice.tls) return { tls: null, lanToken };
      const { makeLeaf } = await certificates();
      return { tls: await makeLeaf(await currentAuthority(), lan, clock.now()), lanToken };
    },
    async describe(port: number | null): Promise<ReceiverAccess> {
      const { tls, lan, token } = choice;
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
    choose({ tls, lan }: { tls: boolean; lan: boolean }) {
      const next = { ...choice, tls, lan };
      write.run(JSON.stringify(next));
      choice = next;
    },
    /**
     * Reads the stored authority again if a replacement is in use, for instance once a keyring opens. Returns whether another
     * one is in use now, so that the receiver has to listen again.
     */
    async readAgain(): Promise<boolean> {
      const before = await authority?.catch(() => undefined);
      if (!before?.isReplacement) return false;
      authority = undefined;
      return choice.tls && (await currentAuthority()).cert !== before.cert;
    },
    /** Whether addresses of the receiver begin with https. */
    isTls: (): boolean => choice.tls,
    /** Whether other machines of the local network may connect. */
    isLan: (): boolean => choice.lan,
    /** The authority's certificate, once it was needed. */
    authorityPem: (): string | undefined => knownPem,
  };
}

/** Whether TLS or the LAN was chosen, for code that can't read the secrets. */
export function readChoice(db: DatabaseSync): z.infer<typeof choiceSchema> | undefined {
  const json = db.prepare("SELECT json FROM documents WHERE name = 'receiver access'").get()?.['json'];
  try {
    return choiceSchema.parse(JSON.parse(String(json)));
  } catch {
    // None yet, or garbage: then the receiver is closed to others.
    return undefined;
  }
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
