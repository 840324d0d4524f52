// The headless host's ports: settings through conf, secrets through a key file, links through the system's browser.
import { join } from 'node:path';
import Conf from 'conf';
import type { Clock } from '#contract/clock.ts';
import { requireWritableFolder } from '#core/database/app-database.ts';
import type { Host, SettingsPort } from '#core/host.ts';
import type { Log } from '#core/log.ts';
import { copySettingsAside, prepareSettingsFile } from '#core/settings/settings-file.ts';
import { openSecretFile } from './secret-file.ts';

/** Throws AppFailure STORAGE where the data folder cannot be used. */
export function createHeadlessHost({ dataFolder, clock, log }: { dataFolder: string; clock: Clock; log: Log }): Host {
  requireWritableFolder(dataFolder);
  const settings = openSettings(dataFolder, clock);
  const secrets = openSecretFile({ folder: dataFolder, clock });
  return {
    kind: 'headless',
    notices: [...settings.notices, ...secrets.notices],
    secrets: secrets.secrets,
    settings: settings.port,
    // The screens show what arrives; a terminal is no place for it.
    notify: ({ title }) => log.info({ title }, 'notification'),
    async openExternal(url) {
      const { protocol } = new URL(url);
      if (protocol !== 'http:' && protocol !== 'https:') return;
      const { default: open } = await import('open');
      const browser = await open(url);
      // A machine without a browser tells it so; unheard, it would end the process.
      browser.once('error', () => log.info('no browser could be opened'));
    },
    // Node does not tell of sleep; timers and tokens look at the clock when they are used.
    onResume: () => () => {},
  };
}

function openSettings(dataFolder: string, clock: Clock): { port: SettingsPort; notices: string[] } {
  const file = join(dataFolder, 'settings.json');
  const notices = prepareSettingsFile(file, clock);
  const store = new Conf({ cwd: dataFolder, configName: 'settings', accessPropertiesByDotNotation: false });
  return {
    notices,
    port: {
      read: () => store.store,
      write: (values) => {
        store.store = values;
      },
      setAside: () => copySettingsAside(file, clock),
    },
  };
}
