// The headless host's ports: settings through conf, secrets through a key file, links through the system's browser.
import Conf from 'conf';
import type { Clock } from '@rainbell/shared';
import { type Host, type Log, openSecretFile, openSettingsFile, requireWritableFolder } from '@rainbell/core';
import { privateFileMode } from '@rainbell/shared/node';

/** Throws AppFailure STORAGE if the data folder is unusable. */
export function createHeadlessHost({ dataFolder, clock, log }: { dataFolder: string; clock: Clock; log: Log }): Host {
  requireWritableFolder(dataFolder);
  const settings = openSettingsFile(
    dataFolder,
    clock,
    (name) =>
      new Conf({
        cwd: dataFolder,
        configName: name,
        accessPropertiesByDotNotation: false,
        configFileMode: privateFileMode,
      }),
  );
  const secrets = openSecretFile({ folder: dataFolder, clock });
  return {
    kind: 'headless',
    notices: () => [...settings.notices, ...secrets.notices],
    secrets: secrets.secrets,
    settings: settings.port,
    async openExternal(url) {
      const { protocol } = new URL(url);
      if (protocol !== 'http:' && protocol !== 'https:') return;
      const { default: open } = await import('open');
      const browser = await open(url);
      // On a machine without a browser, `spawn` emits an error; unhandled, it would end the process.
      browser.once('error', () => log.info('no browser could be opened'));
    },
    // Node does not report a sleep; core sees it as a clock jump.
    onResume: () => () => {},
  };
}
