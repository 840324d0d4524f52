// Changes that agents propose and the user allows or refuses. One that no one decides in time is refused.
import { randomUUID } from 'node:crypto';
import type { ConsentRequest } from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';

/** Less than the 60 s after which clients of the protocol give a call up. */
export const consentMs = 45_000;
const maxPending = 5;

type ConsentsDependencies = { clock: Clock; onChanged: () => void };
type Pending = { request: ConsentRequest; settle: (failure?: AppFailure) => void };

export function createConsents({ clock, onChanged }: ConsentsDependencies) {
  const waiting = new Map<string, Pending>();
  return {
    /** Resolves if the user allows it. Throws AppFailure REFUSED otherwise, RATE_LIMITED if too many wait. */
    request({ agent, title, facts }: Pick<ConsentRequest, 'agent' | 'title' | 'facts'>, signal: AbortSignal) {
      if (waiting.size >= maxPending) {
        const message = `${maxPending} changes are already waiting for the user’s consent. Wait until the user has allowed or denied them in the app.`;
        return Promise.reject<void>(new AppFailure('RATE_LIMITED', message));
      }
      return new Promise<void>((resolve, reject) => {
        const id = randomUUID();
        const request = { id, agent, title, facts, until: formatInstant(clock.now() + consentMs) };
        const settle = (failure?: AppFailure) => {
          cancelTimer();
          signal.removeEventListener('abort', giveUp);
          waiting.delete(id);
          onChanged();
          if (failure) reject(failure);
          else resolve();
        };
        const giveUp = () => settle(new AppFailure('REFUSED', 'The agent canceled its request.'));
        const cancelTimer = clock.after(consentMs, () => settle(new AppFailure('REFUSED', notDecided)));
        waiting.set(id, { request, settle });
        signal.addEventListener('abort', giveUp, { once: true });
        if (signal.aborted) giveUp();
        else onChanged();
      });
    },
    pending: (): ConsentRequest[] => [...waiting.values()].map(({ request }) => request),
    /** Throws AppFailure NOT_FOUND if it is not pending. */
    decide(id: string, isAllowed: boolean): void {
      const one = waiting.get(id);
      if (!one) throw new AppFailure('NOT_FOUND', 'This agent request has ended: it timed out or was canceled.');
      one.settle(
        isAllowed
          ? undefined
          : new AppFailure('REFUSED', 'The user denied this change in Rainbell. Nothing was changed.'),
      );
    },
  };
}

const notDecided = `No one allowed this change in Rainbell within ${consentMs / 1000} s, so nothing was changed. Ask the user to open Rainbell and choose “Allow once”, then call the tool again.`;

/** No window can ask the user. */
export function appMissing(dataFolder: string): AppFailure {
  return new AppFailure(
    'UNAVAILABLE',
    `Changes require the user's consent in the app, which is not running with ${dataFolder}. Ask the user to start Rainbell, then call the tool again.`,
  );
}
