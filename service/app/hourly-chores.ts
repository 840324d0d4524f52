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
  const works: Record<string, () => Promise<unknown>> = {
    'delete expired tokens': createExpiryCleanup(db, clock),
    'delete old emails': outbox.forgetOld,
    async 'shorten the delivery log'() {
      await deleteOldEvents(database, clock.now());
      await forgetOldOutcomes(db, clock.now());
      await deleteOldRequests(db, clock.now());
    },
  };
  if (engine === 'postgres') {
    works['delete old counters'] = () =>
      db
        .deleteFrom('limits')
        .where('expire', '<', machineClock.now() - hourMs)
        .execute();
  }
  const chores = Object.entries(works).map(([name, work]) =>
    createHousekeeping({
      clock,
      work: () => doChore({ db, clock, name, work }),
      onError: (error) => log.error({ err: error, chore: name }, 'a chore was not done'),
    }),
  );
  return {
    start: () => chores.forEach(({ start }) => start()),
    close: async () => void (await Promise.all(chores.map(({ close }) => close()))),
  };
}
