// Passwords are stored as scrypt hashes that contain their parameters, so that these can be raised later. Few are computed at once,
// in a fair queue: each takes 32 MB and a thread, and many sign-ins must not block everyone else.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { withoutSlot } from '../http/request-slot.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { networkOf } from '../limits/throttle.ts';

/** Identifies the client, for the queue. `check` runs right before the work and may reject to cancel it. */
export type PasswordRequest = { address: string; check?: () => Promise<void> };

/** Both throw `temporarily_unavailable` if too many wait. Without a request, the work is the service's own. */
export type Passwords = ReturnType<typeof createPasswords>;

/** `cost` is scrypt's N, a power of two; `passes` its p. Memory: 128 × cost × 8 bytes. */
export type PasswordCost = { cost: number; passes: number };

/** About 80 ms of one core: 75 people must be able to sign in in half a minute on a small machine (docs/decisions.md). */
const defaultCost: PasswordCost = { cost: 2 ** 15, passes: 1 };

/** One core stays free for all other requests. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingLimit = 100;
const busy = 'Too many sign-ins are waiting; try again in a few seconds.';
const keyBytes = 32;
const ourselves: PasswordRequest = { address: '' };

export function createPasswords({ cost, passes }: PasswordCost = defaultCost) {
  const queue = createFairQueue({ atOnce, waitingLimit, busy });
  const inTurn = <T>({ address, check }: PasswordRequest = ourselves, work: () => Promise<T>) =>
    withoutSlot(() =>
      queue.run(networkOf(address), async () => {
        await check?.();
        return work();
      }),
    );
  const options = { N: cost, r: 8, p: passes, maxmem: 256 * cost * 8 };
  // A hash that no password matches: random salt, random key.
  const nobody = stored(options, randomBytes(16), randomBytes(keyBytes));
  return {
    hash: (password: string, request?: PasswordRequest) =>
      inTurn(request, async () => {
        const salt = randomBytes(16);
        return stored(options, salt, await derive(password, salt, options));
      }),
    /** Takes as long for an unknown user (`undefined`) as for a wrong password. */
    verify: (password: string, hash: string | undefined, request?: PasswordRequest) =>
      inTurn(request, async () => {
        const { salt, key, parameters } = parse(hash ?? nobody);
        const given = await derive(password, salt, parameters);
        return timingSafeEqual(given, key) && hash !== undefined;
      }),
  };
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Normalizes the text, because other keyboards may compose characters differently.
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
