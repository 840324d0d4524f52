// What everything in the core is made with: the host, the database, the settings, and the two ways to report a change.
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { type Clock, pick } from '@rainbell/shared';
import { createStorageState } from '../database/storage-state.ts';
import { watchSecrets } from '../diagnostics/watch-secrets.ts';
import type { PlaceSearch } from '../places/place-search.ts';
import type { CoreEvents } from '../ports/events.ts';
import type { Host, UserNotice } from '../ports/host.ts';
import type { Transport } from '../http/transport.ts';
import type { Log } from '../ports/log.ts';
import { createNoticeHub } from '../ports/notices.ts';
import type { CommandReceiver } from '../receiver/server/absent-receiver.ts';
import { createAppSettings } from '../settings/app-settings.ts';
import { createTrafficLog } from '../traffic/traffic-log.ts';
import type { ReleaseSource } from '../updates/update-check.ts';
import { openAppDatabase } from './open-app-database.ts';

export type CoreOptions = {
  dataFolder: string;
  clock: Clock;
  log: Log;
  host: Host;
  version: string;
  /** Entry points of the threads, which differ in the bundle. */
  workers: { receiver: URL; places: URL; json: URL };
  /** Default: its own, with a thread that ends with it. Tests share one, because loading the places takes 0.4 s of CPU time. */
  places?: PlaceSearch;
  /** For a command: only the requested procedures, without the app's work in the background. */
  command?: {
    receiver: CommandReceiver;
    /** Whether other programs find it, by the data folder. */
    isShared: boolean;
    /** How other machines are reached without a connection. */
    route: Transport;
  };
  /** Where newer versions are announced, and whether this is an installed app, which looks there once a day. */
  releases?: { source?: ReleaseSource; isInstalled: boolean };
};

export type Base = ReturnType<typeof openBase>;

export function openBase(options: CoreOptions) {
  const { dataFolder, clock, log } = options;
  const { mask, note: noteSecret, port: secrets } = watchSecrets(options.host.secrets);
  const host: Host = { ...options.host, secrets };
  const events = new EventEmitter<CoreEvents>();
  const screens = createNoticeHub();
  const { db, file, remarks, close: closeDatabase } = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock });
  const settings = createAppSettings(host.settings, () => events.emit('settingsChanged'));
  const storage = createStorageState({
    db,
    file,
    clock,
    log,
    onChanged: () => screens.publish({ topic: 'status' }),
    onDamage: () => events.emit('damageFound'),
  });
  const traffic = createTrafficLog({
    db,
    clock,
    log,
    onChanged: (newestId) => screens.publish({ topic: 'traffic', newestId }),
  });
  return {
    ...pick(options, 'dataFolder', 'clock', 'log', 'version', 'workers', 'command', 'releases'),
    host,
    secrets,
    /** Takes every secret that was seen out of a text. */
    mask,
    noteSecret,
    events,
    screens,
    notifyUser: (notice: UserNotice) => void events.emit('userNotice', notice),
    db,
    file,
    databaseRemarks: remarks,
    closeDatabase,
    settings,
    storage,
    traffic,
  };
}
