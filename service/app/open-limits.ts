// What the processes on one PostgreSQL count together, and deletes what is over.
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type Config, isLocalService } from '../config/config.ts';
import { hasPart } from '../config/service-role.ts';
import { createHourlyChore } from '../database/housekeeping.ts';
import type { Database } from '../database/open-database.ts';

const noProxiesWarning =
  'RAINBELL_TRUSTED_PROXIES is not set. If clients connect through a proxy, they all appear to have its address and share one ' +
  "client's limits. In that case, set the variable to the proxy's addresses.";
const retentionMs = 3_600_000;

type Dependencies = { config: Config; database: Database; clock: Clock; machineClock: Clock; log: Logger };

export function openLimits({ config, database: { db, engine }, clock, machineClock, log }: Dependencies) {
  const isFleet = engine === 'postgres';
  const servesClients = hasPart(config.role, 'api') && !isLocalService(config);
  if ((isFleet || config.role !== 'all') && servesClients && config.trustedProxies.length === 0) {
    log.warn(noProxiesWarning);
  }
  const work = async () => {
    await db
      .deleteFrom('limits')
      .where('expire', '<', machineClock.now() - retentionMs)
      .execute();
  };
  const keeping = createHourlyChore({ db, clock, log, name: 'delete old counters', work });
  return { fleet: isFleet ? db : undefined, start: () => isFleet && keeping.start(), close: () => keeping.close() };
}
