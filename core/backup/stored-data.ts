// Stored data by kind: how much there is, and deleting it.
import type { DatabaseSync } from 'node:sqlite';
import { type DataKind, dataKinds } from '@rainbell/contract/app-rpc';
import type { Parts } from '../app/feature.ts';

type StoredDataParts = {
  db: DatabaseSync;
  pages: Pick<Parts['pages'], 'counts'>;
  receiver: Pick<Parts['receiver'], 'call'>;
  traffic: Pick<Parts['traffic'], 'clear'>;
  settings: Parts['settings'];
};

export function createStoredData({ db, pages, receiver, traffic, settings }: StoredDataParts) {
  const rows = (table: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'] ?? 0);
  return {
    count: (): { kind: DataKind; count: number }[] => [
      { kind: 'callbacks', count: pages.counts().total },
      { kind: 'traffic', count: rows('exchanges') },
      { kind: 'forecasts', count: rows('forecast_fetches') },
      { kind: 'recent-places', count: settings.get().recentPlaces.length },
    ],
    /** An aborted `signal` leaves the kinds that come after the one that is being deleted. */
    async clear(kinds: readonly DataKind[], signal?: AbortSignal) {
      const clearKind: Readonly<Record<DataKind, () => Promise<void> | void>> = {
        callbacks: () => receiver.call('clear'),
        traffic: traffic.clear,
        forecasts: () => db.exec('DELETE FROM forecast_fetches'),
        'recent-places': () => void settings.update({ recentPlaces: [] }),
      };
      for (const kind of dataKinds.filter((one) => kinds.includes(one))) {
        signal?.throwIfAborted();
        // One after the other, so that a cancellation leaves the rest.
        await clearKind[kind]();
      }
    },
  };
}
