import { AppFailure } from '../../errors/app-failure.ts';
import type { Receiver } from './receiver.ts';

/** A command receives at a port of its own (undefined: the settings' one), only from this computer; or it does not receive. */
export type CommandReceiver = { port: number | undefined } | { address: string | null };

/** For a command that only reads. Callbacks arrive at `address`, where another process receives them; null if none does. */
export function createAbsentReceiver(address: string | null): Receiver {
  const nothing = async () => {};
  const refuse = async () => {
    throw new AppFailure('UNAVAILABLE', 'This needs the receiver. Start Rainbell, then try again.');
  };
  return {
    state: () => ({ state: address === null ? 'failed' : 'listening', baseUrl: address, notice: null }),
    started: nothing,
    port: () => null,
    held: () => [],
    reopen: nothing,
    move: refuse,
    respondToHeld: refuse,
    // Its settings need no thread.
    call: ((name: string) => (/^(set|stop)/.test(name) ? nothing() : refuse())) as Receiver['call'],
    close: nothing,
  };
}
