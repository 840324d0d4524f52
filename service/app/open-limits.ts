// What the processes on one PostgreSQL count and pause together. SQLite has only one process, which keeps this in memory.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import { isLoopback } from '#shared/network/loopback.ts';
import type { Config } from '#service/config/config.ts';
import { hasPart } from '#service/config/service-role.ts';
import { doChore } from '#service/database/chores.ts';
import { createHousekeeping } from '#service/database/housekeeping.ts';
import type { Database } from '#service/database/open-database.ts';
import { createFleetCounters, type FleetCounters } from '#service/limits/fleet-counters.ts';
import { createSharedPauses, type SharedPauses } from '#service/limits/shared-pauses.ts';

export type FleetLimits = {
  counters: FleetCounters | undefined;
  pauses: SharedPauses;
  start(): void;
  close(): Promise<void>;
};

const noProxiesWarning =
  'RAINBELL_TRUSTED_PROXIES is not set. If clients connect through a proxy, they all appear to have its address and share one ' +
  "client's limits. In that case, set the variable to the proxy's addresses.";

type Dependencies = {
  config: Config;
  database: Database;
  clock: Clock;
  machineClock: Clock;
  log: Logger;
};

export function openLimits({ config, database, clock, machineClock, log }: Dependencies): FleetLimits {
  const { db, engine } = database;
  const isFleet = engine === 'postgres' || config.role !== 'all';
  const servesClients = hasPart(config.role, 'api') && !isLoopback(config.host);
  if (isFleet && servesClients && config.trustedProxies.length === 0) log.warn(noProxiesWarning);
  const counters = createFleetCounters({ db, engine, machineClock, log });
  const pauses = createSharedPauses({ db, engine, machineClock, log });
  const keeping = createHousekeeping({
    clock,
    work: () =>
      doChore({
        db,
        clock,
        name: 'delete old counters',
        async work() {
          await counters?.forgetOld();
          await pauses.forgetOld();
        },
      }),
    onError: (error) => log.error({ err: error }, 'old counters were not deleted'),
  });
  return {
    counters,
    pauses,
    start() {
      if (engine === 'sqlite') return;
      pauses.start();
      keeping.start();
    },
    async close() {
      await Promise.all([keeping.close(), pauses.close()]);
    },
  };
}
