// The link that `--home` prints at the first start: the user who sees the service's output creates the first account with its code.
import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { Clock } from '@rainbell/shared';
import type { AccountStore } from '../accounts/account-store.ts';
import { isSameSecret } from '../secrets/random-text.ts';

/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const validMs = 15 * 60_000;

export class SetupCode {
  /** Like 7KQ4-M2XD. */
  readonly text = '____-____'.replaceAll('_', () => alphabet.charAt(randomInt(alphabet.length)));
  readonly #clock: Clock;
  readonly #endsAt: number;
  #isUsed = false;

  /** The machine's clock: a moved one must not prolong it. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#endsAt = clock.elapsed() + validMs;
  }

  accepts(given: string): boolean {
    const isSame = isSameSecret(this.text, given.trim().toUpperCase());
    return isSame && !this.#isUsed && this.#clock.elapsed() < this.#endsAt;
  }

  /** Uses it up; if what it was used for fails, it is valid again. */
  async useFor<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isUsed = true;
    return work().catch((error: unknown) => {
      this.#isUsed = false;
      throw error;
    });
  }
}

/** Undefined if there is an account. A sandbox account of earlier starts on loopback is disabled by now. */
export async function createSetupCode(
  { isHome }: { isHome: boolean },
  accounts: Pick<AccountStore, 'list'>,
  clock: Clock,
): Promise<SetupCode | undefined> {
  const hasAccount = (await accounts.list()).some(({ disabled_at }) => disabled_at === null);
  return isHome && !hasAccount ? new SetupCode(clock) : undefined;
}

/** Returns the base URL as other computers of the network reach it. */
export function homeUrl({ baseUrl, port }: { baseUrl: string; port: number }): string {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) => some);
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return own ? `http://${own.address}:${port}` : baseUrl;
}

/** Read again for each decision, because a network may give a machine another address at any time. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}
