// The file format for moving connections between machines: versioned, readable JSON without secrets. Client secrets are included
// only with a passphrase: scrypt (RFC 7914) derives a key, AES-256-GCM seals them. The entries in the file are authenticated too,
// so that no one can put another URL next to a secret.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { AppFailure } from '#core/errors/app-failure.ts';

const kind = 'rainbell connections';
const version = 1;
const maxListLength = 500;
const minPassphraseLength = 8;

const base64 = z.base64().max(2_000_000);

const sealedSchema = z.object({
  key: z.object({
    function: z.literal('scrypt'),
    // Bounds for what an untrusted file can make this machine compute: at most 128 MB and about half a second.
    n: z.union([z.literal(2 ** 14), z.literal(2 ** 15), z.literal(2 ** 16), z.literal(2 ** 17)]),
    r: z.literal(8),
    p: z.number().int().min(1).max(2),
    salt: base64,
  }),
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
  tag: base64,
  data: base64,
});
type Sealed = z.infer<typeof sealedSchema>;

const envelopeSchema = z.object({
  exportedAt: z.iso.datetime().nullish().catch(null),
  connections: z.array(z.unknown()).max(maxListLength),
  secrets: sealedSchema.nullish(),
});

/** In the order of the entries; null if a connection has none. */
const secretListSchema = z.array(z.string().max(1024).nullable());

export type ConnectionFile = {
  exportedAt: string | null;
  /** As they stand in the file, checked by no one yet. */
  entries: readonly unknown[];
  sealed: Sealed | null;
};

/** `secrets` in the order of the connections. Throws AppFailure INVALID_INPUT for a passphrase that is too short. */
export async function writeConnectionFile(
  connections: readonly ConnectionFields[],
  secrets: { passphrase: string; values: readonly (string | null)[] } | null,
  now: number,
): Promise<string> {
  const sealed = secrets && (await seal(secrets.passphrase, secrets.values, connections));
  const file = { kind, version, exportedAt: formatInstant(now), connections, secrets: sealed };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Throws AppFailure INVALID_INPUT, field `file`, saying what the text is instead. */
export function readConnectionFile(text: string): ConnectionFile {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw foreign();
  const found = value as Record<string, unknown>;
  if (found['kind'] !== kind) throw foreign();
  const foundVersion = found['version'];
  if (typeof foundVersion !== 'number') throw fileProblem('The file has no version.');
  if (foundVersion > version)
    throw fileProblem(
      `The file has format version ${foundVersion}, from a newer version of Rainbell; this version supports only format version ${version}. Update Rainbell, or export the file again from a version that supports format version ${version}.`,
    );
  if (foundVersion < version)
    throw fileProblem(`The file has an unknown version (${foundVersion}); the version must be ${version}.`);
  const parsed = envelopeSchema.safeParse(found);
  if (!parsed.success) throw fileProblem(envelopeProblem(parsed.error.issues[0]?.path[0]));
  const { exportedAt, connections, secrets } = parsed.data;
  if (connections.length === 0) throw fileProblem('The file doesn’t contain any connections.');
  return { exportedAt: exportedAt ?? null, entries: connections, sealed: secrets ?? null };
}

/** In the order of the entries. Throws AppFailure INVALID_INPUT, field `passphrase`, for another one or a changed file. */
export async function openSecrets(
  { sealed, entries }: ConnectionFile & { sealed: Sealed },
  passphrase: string,
): Promise<(string | null)[]> {
  const { n, r, p, salt } = sealed.key;
  const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), { N: n, r, p });
  try {
    const decipher = createDecipheriv(sealed.cipher, key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 });
    decipher.setAAD(authenticated(entries));
    decipher.setAuthTag(Buffer.from(sealed.tag, 'base64'));
    const plain = Buffer.concat([decipher.update(Buffer.from(sealed.data, 'base64')), decipher.final()]);
    const secrets = secretListSchema.parse(JSON.parse(plain.toString('utf8')));
    if (secrets.length === entries.length) return secrets;
  } catch {
    // A wrong passphrase, a changed file, and a wrong length give the same error.
  }
  throw new AppFailure(
    'INVALID_INPUT',
    'The passphrase is wrong, or the file was changed. Enter it again, or import without secrets.',
    { field: 'passphrase' },
  );
}

const cost = { N: 2 ** 15, r: 8, p: 1 };

async function seal(
  passphrase: string,
  values: readonly (string | null)[],
  entries: readonly unknown[],
): Promise<Sealed> {
  if (passphrase.length < minPassphraseLength) {
    throw new AppFailure(
      'INVALID_INPUT',
      `The passphrase must have at least ${minPassphraseLength} characters; a few random words work well.`,
      { field: 'passphrase' },
    );
  }
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, cost), iv);
  cipher.setAAD(authenticated(entries));
  const data = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  return {
    key: { function: 'scrypt', n: 2 ** 15, r: 8, p: cost.p, salt: salt.toString('base64') },
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/** The entries without their formatting, because an editor may change it. */
function authenticated(entries: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify([kind, version, entries]), 'utf8');
}

function deriveKey(passphrase: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  // The same passphrase typed on another system may come composed otherwise.
  const typed = passphrase.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(typed, salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw fileProblem('The file isn’t valid JSON. Choose a file exported from Connections.');
  }
}

function foreign(): AppFailure {
  return fileProblem('This is not a Rainbell connections file. Export one with “Export…” on the Connections screen.');
}

function envelopeProblem(member: PropertyKey | undefined): string {
  if (member === 'secrets') return 'The encrypted secrets in the file are damaged, or in an unknown format.';
  return `The field “connections” must be a list of at most ${maxListLength} connections.`;
}

function fileProblem(sentence: string): AppFailure {
  return new AppFailure('INVALID_INPUT', sentence, { field: 'file' });
}
