// The address guard of what the app sends on its own behalf (shared/node/callback-guard.ts): loopback and the LAN may be
// called, link-local addresses never, and never the ports at which Rainbell itself takes orders.
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import {
  type CallbackGuard,
  type CallbackPolicy,
  callbackUrlProblem,
  createCallbackGuard,
  targetOf,
} from '@rainbell/shared/node';
import { AppFailure } from '../errors/app-failure.ts';

export type SendGuard = ReturnType<typeof createSendGuard>;

type SendGuardOptions = {
  /** Ports on this machine that are Rainbell's own and no receiver. */
  adminPorts: () => readonly number[];
  /** Resolves names; tests decide it. */
  lookup?: LookupFunction;
};

export function createSendGuard({ adminPorts, lookup = systemLookup as LookupFunction }: SendGuardOptions) {
  function guardFor(port: number): CallbackGuard {
    // Ports can change at run time, so read them on each call.
    const ownPort = adminPorts().includes(port) ? port : 0;
    const policy: CallbackPolicy = { kind: 'local', allowlist: [], ownPort, ownName: 'Rainbell' };
    return createCallbackGuard({ policy, lookup });
  }
  return {
    /** Throws AppFailure INVALID_INPUT if it is clear without a DNS lookup that nothing may be sent to a URL. */
    requireAllowed(text: string): URL {
      const refuse = (message: string) => new AppFailure('INVALID_INPUT', message, { field: 'url' });
      const problem = callbackUrlProblem(text);
      if (problem !== undefined) throw refuse(`The URL ${problem}.`);
      const url = new URL(text);
      const refusal = guardFor(targetOf(url).port).literalProblem(url.href);
      if (refusal === undefined) return url;
      throw refuse(`${url.host} ${refusal}, so requests can’t be sent there.`);
    },
    /** For `connect`: refuses names of forbidden addresses, and connects to the ones it checked. */
    lookupFor:
      (port: number): LookupFunction =>
      (...name) =>
        guardFor(port).lookupFor(port)(...name),
  };
}
