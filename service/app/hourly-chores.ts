// What one process deletes each hour for all that share a database.
import type { Logger } from 'pino';
import { type Clock, hourMs } from '@rainbell/shared';
import { doChore } from '../database/chores.ts';
import { createHousekeeping } from '../database/housekeeping.ts';
import type { Database } from '../database/open-database.ts';
import { deleteOldRequests } from '../inbox/inbox.ts';
import type { Outbox } from '../mail/outbox.ts';
import { deleteOldEvents } from '../monitors/delivery/delivery-log.ts';
import { createExpiryCleanup } from '../oauth/forget-expired.ts';
import { forgetOldOutcomes } from '../verification/verify-events.ts';

type Dependencies = { database: Database; outbox: Outbox; clock: Clock; machineClock: Clock; log: Logger };

export function createHourlyChores({ database, outbox, clock, machineClock, log }: Dependencies) {
  const { db, engine } = database;
  const works: (() => Promise<unknown>)[] = [
    createExpiryCleanup(db, clock),
    outbox.forgetOld,
    () => deleteOldEvents(database, clock.now()),
    () => forgetOldOutcomes(db, clock.now()),
    () => deleteOldRequests(db, clock.now()),
  ];
  if (engine === 'postgres') {
    const counters = () => db.deleteFrom('limits').where('expire', '<', machineClock.now() - hourMs);
    works.push(() => counters().execute());
  }
  const onError = (error: unknown) => log.error({ err: error }, 'old data was not deleted');
  const deleteOld = async () => {
    for (const work of works) await work().catch(onError);
  };
  return createHousekeeping({
    clock,
    work: () => doChore({ db, clock, name: 'delete old data', work: deleteOld }),
    onError,
  });
}
