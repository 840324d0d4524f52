// What the tests of delivery share: rain on one monitor, and what the service wrote down of its events and attempts.
import { expect } from 'vitest';
import { startCallbackEndpoint, type CallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { eventually } from '#test/service/eventually.ts';
import { selectEvents } from './event-rows.ts';
import { turin, type MonitorService } from '#test/service/monitor-service.ts';

export const hourMs = 3_600_000;

/** Its newest event. */
export async function eventOf(service: MonitorService, monitorId: string) {
  return selectEvents(service.db)
    .where('events.monitor_id', '=', monitorId)
    .orderBy('occurred_at', 'desc')
    .executeTakeFirst();
}

/** Resolves when so many attempts are written down. */
export async function attempts(service: MonitorService, monitorId: string, count: number) {
  return eventually(async () => {
    const rows = await service.db
      .selectFrom('attempts')
      .innerJoin('events', 'events.id', 'attempts.event_id')
      .selectAll('attempts')
      .where('monitor_id', '=', monitorId)
      .orderBy('attempt')
      .execute();
    expect(rows).toHaveLength(count);
    return rows;
  });
}

/** The state of its callback, as its owner sees it. */
export async function stateOf(service: MonitorService, monitorId: string) {
  const { json } = await service.call('GET', '/v2/delivery/');
  return (json as { objects: { monitor_id: string }[] }).objects.find(({ monitor_id }) => monitor_id === monitorId);
}

/** A new monitor with an event at once. Answers its id. */
export async function rainOn(service: MonitorService, endpoint: Pick<CallbackEndpoint, 'url'>): Promise<string> {
  const id = await service.addMonitor(endpoint.url);
  service.rainAt(turin);
  await service.sweep();
  return id;
}

/** An endpoint that always answers so. */
export function status(code: number, headers: Record<string, string> = {}) {
  return startCallbackEndpoint((_callback, response) => void response.writeHead(code, headers).end('no'));
}
