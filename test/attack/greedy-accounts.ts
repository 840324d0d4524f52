// Accounts that use what every account has as much as they can: long lists, wide bodies, many reports, callbacks to slow hosts,
// and all waits of the feed. They are added to the service's database, because registering them takes minutes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPasswords } from '#service/accounts/passwords.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { configWith, databaseLocation } from '#service/config/config.ts';
import type { Database } from '#service/database/open-database.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { systemClock } from '#shared/time/clock.ts';
import { pino } from 'pino';
import { cellOf } from '#service/weather/reading/cells.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { type AnonymousRequest, get, post } from './anonymous-requests.ts';

const sizes = {
  monitors: 5_000,
  urlLength: 100,
  reports: 4_500,
  /** With one callback each, to a host of its own that responds after 14 s. */
  slowHosts: 3_000,
  /** That wait for the feed, with ten applications of 16 waits each. */
  waitingAccounts: 7,
};

export type GreedyAccounts = {
  requests: readonly AnonymousRequest[];
  /** Each holds a wait of the feed open. */
  feedWaits: readonly string[];
  /** Rain here calls all slow hosts. */
  slowPlace: { lat: number; lng: number };
  close: () => void;
};

const place = { lat: 10, lng: 20 };
const slowPlace = { lat: 10, lng: 40 };
const json = 'application/json';

export async function addGreedyAccounts(folder: string, service: ServiceIntroduction): Promise<GreedyAccounts> {
  const config = configWith({ dataFolder: folder });
  const log = pino({ level: 'silent' });
  const database = await openServiceDatabase({ ...databaseLocation(config), clock: systemClock, log });
  const passwords = createPasswords({ cost: 2 ** 10, passes: 1 });
  const oauth = createOAuth({
    config,
    clock: systemClock,
    machineClock: systemClock,
    log,
    db: database.db,
    passwords,
  });
  const { host } = new URL(service.baseUrl);

  async function addAccount(name: string, applications: number) {
    const user = { username: name, email: `${name}@example.org`, password: 'a long password' };
    const account = await oauth.accounts.create(user);
    return Promise.all(
      Array.from({ length: applications }, async (_, index) => {
        const wishes = { plan: 'storm', account, name: `${name} ${index}`, allowsPassword: true } as const;
        const application = await registerApplication({ oauth }, wishes);
        const fetchToken = async (form?: string) => {
          const token = await fetchAccessToken({ baseUrl: service.baseUrl, ...application }, form);
          return `Authorization: Bearer ${token}\r\n`;
        };
        return { id: application.id, accountId: account.id, own: await fetchToken(), user, fetchToken };
      }),
    );
  }

  const [greedy] = await addAccount('greedy', 1);
  const [slow] = await addAccount('slow', 1);
  if (!greedy || !slow) throw new Error('The greedy accounts were not added.');
  const form = `grant_type=password&username=greedy&password=${encodeURIComponent(greedy.user.password)}&scope=post_metag`;
  const asUser = await greedy.fetchToken(form);
  const uri = (index: number) => `https://example.org/${index}/`.padEnd(sizes.urlLength, 'x');
  await addMonitors(database, greedy.id, place, sizes.monitors, uri);
  const slowServer = await startSlowServer();
  const slowUri = (index: number) => `http://127.1.${Math.floor(index / 250)}.${1 + (index % 250)}:${slowServer.port}/`;
  await addMonitors(database, slow.id, slowPlace, sizes.slowHosts, slowUri);
  await addReports(database, greedy, sizes.reports);
  const feedWaits: string[] = [];
  for (let account = 0; account < sizes.waitingAccounts; account += 1) {
    for (const { own } of await addAccount(`waiting${account}`, 10)) {
      feedWaits.push(...Array<string>(16).fill(get(host, '/v2/deliveries/?wait=55', own)));
    }
  }
  await oauth.close();
  await database.close();
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`f${index}`, 1])));
  const reports = Array.from({ length: 64 }, (_, index) =>
    JSON.stringify({ geo: { lat: -40, lng: index * 0.05 }, weather: { status: 'rainy' } }),
  );
  return {
    requests: [
      { name: `GET /v2/monitors/, ${sizes.monitors} monitors`, requests: [get(host, '/v2/monitors/', greedy.own)] },
      { name: `GET /v2/delivery/, ${sizes.monitors} monitors`, requests: [get(host, '/v2/delivery/', greedy.own)] },
      {
        name: 'POST /v2/monitors/, 6,000 unknown fields',
        requests: [post(host, '/v2/monitors/', wide, greedy.own, json)],
      },
      {
        name: `POST /v2/metags/ after ${sizes.reports} reports`,
        requests: reports.map((body) => post(host, '/v2/metags/', body, asUser, json)),
      },
    ],
    feedWaits,
    slowPlace,
    close: slowServer.close,
  };
}

/** The first through the store, and copies of it, because the store counts all before it adds one. */
async function addMonitors(
  { db }: Database,
  applicationId: string,
  geo: { lat: number; lng: number },
  count: number,
  uri: (index: number) => string,
): Promise<void> {
  const store = createMonitorStore({ db, clock: systemClock, cellOf });
  const fields = { monitor_type: 'precipitation', callback_uri: uri(0), geo } as const;
  const row = await store.create(applicationId, fields, 1_000_000);
  if (!row) throw new Error('The first monitor was not added.');
  await db.transaction().execute(async (trx) => {
    for (let index = 1; index < count; index += 1) {
      const copy = { ...row, id: `${row.id}0${index}`, callback_uri: uri(index) };
      await trx.insertInto('monitors').values(copy).execute();
    }
    await trx.updateTable('watch_cells').set({ monitor_count: count }).where('cell', '=', row.cell).execute();
  });
}

/** 5 km apart on one parallel. */
async function addReports(
  { db }: Database,
  { id, accountId }: { id: string; accountId: string },
  count: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (let index = 0; index < count; index += 1) {
      const report = { id: `report-${index}`, application_id: id, account_id: accountId, status: 'rainy' } as const;
      const geo = { latitude: -40 + Math.floor(index / 5_000) * 0.06, longitude: -170 + (index % 5_000) * 0.06 };
      const row = { ...report, ...geo, created_at: systemClock.now() };
      await trx.insertInto('metags').values(row).execute();
    }
  });
}

/** Responds after 14 s, on every loopback address. */
async function startSlowServer(): Promise<{ port: number; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(204).end(), 14_000).unref();
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', 4_096, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
