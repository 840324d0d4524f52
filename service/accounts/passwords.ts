// Passwords are kept as scrypt hashes whose parameters stand in the text, so that they can be raised later. Few are
// computed at once: each takes 32 MB and a thread, and a crowd at the sign-in must not stop everybody else.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { ServiceError } from '../http/service-error.ts';

export type Passwords = {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown user (`undefined`) as for a wrong password. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
};

/** `cost` is scrypt's N, a power of two; `passes` its p. Memory: 128 × cost × 8 bytes. */
export type PasswordCost = { cost: number; passes: number };

/** About 80 ms of one core: 75 people must be able to sign in within half a minute on a small machine (oauth.md). */
const defaultCost: PasswordCost = { cost: 2 ** 15, passes: 1 };

const atOnce = 2;
const waitingLimit = 100;
const keyBytes = 32;

export function createPasswords({ cost, passes }: PasswordCost = defaultCost): Passwords {
  const inTurn = createTurns();
  const options = { N: cost, r: 8, p: passes, maxmem: 256 * cost * 8 };
  // The hash of nothing that anybody could type: random salt, random key.
  const nobody = stored(options, randomBytes(16), randomBytes(keyBytes));
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(16);
        return stored(options, salt, await derive(password, salt, options));
      }),
    verify: (password, hash) =>
      inTurn(async () => {
        const { salt, key, parameters } = parse(hash ?? nobody);
        const given = await derive(password, salt, parameters);
        return timingSafeEqual(given, key) && hash !== undefined;
      }),
  };
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One form for each text: what is typed on another keyboard may come composed differently.
    scrypt(password.normalize('NFC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function stored({ N, r, p }: ScryptOptions, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

function parse(text: string): { salt: Buffer; key: Buffer; parameters: ScryptOptions } {
  const [, n, r, p, salt = '', key = ''] = text.split('$');
  const [N, blocks, passes] = [Number(n), Number(r), Number(p)];
  return {
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
    parameters: { N, r: blocks, p: passes, maxmem: 256 * N * blocks },
  };
}

/** Runs at most `atOnce` at a time, the others in order; refuses when the queue is so long that nobody would wait. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (waiting.length >= waitingLimit) {
      throw new ServiceError('temporarily_unavailable', 'Too many people are signing in just now; try again.', {
        headers: { 'retry-after': '5' },
      });
    }
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
