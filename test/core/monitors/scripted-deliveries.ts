// Core's deliveries with two connections whose responses are the test's, and what they return.
import type { DeliveryStates } from '#contract/app-rpc/monitors.ts';
import type { Connection } from '#core/connection/connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createDeliveries } from '#core/monitors/deliveries.ts';
import { activeConnectionDouble, connectionDouble, responseDouble } from '../connection-double.ts';
import { createManualClock } from '../manual-clock.ts';

export const now = Date.UTC(2026, 10, 23, 12);

type Answer = { value?: unknown; headers?: [string, string][]; tookMs?: number } | Error;

export function startDeliveries() {
  const clock = createManualClock(now);
  const asked: unknown[] = [];
  const answers: Answer[] = [];
  const counts = { changed: 0, logRead: 0 };
  const noted: DeliveryStates[] = [];
  const connection = (id: string) =>
    connectionDouble(id, {
      async respond(call) {
        asked.push(call);
        const answer = answers.shift() ?? {};
        if (answer instanceof Error) throw answer;
        clock.advance(answer.tookMs ?? 0);
        return responseDouble(answer);
      },
    });
  const [one, other] = [connection('one'), connection('other')];
  const state = { active: one as Connection | undefined };
  const deliveries = createDeliveries({
    activeConnection: activeConnectionDouble(() => state.active, one),
    clock,
    onChanged: () => (counts.changed += 1),
    onStates: (states) => void noted.push(states),
    onLogRead: () => (counts.logRead += 1),
  });
  return { clock, asked, answers, counts, noted, deliveries, state, one, other };
}

export const status = (httpStatus: number) => new AppFailure('NOT_FOUND', '', { httpStatus });

export const statesOf = (meta: object | undefined, ...objects: object[]) => ({ objects, ...(meta ? { meta } : {}) });
