// The headless host's ports: settings and secrets through files, links through the system's browser.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, parseJsonObject } from '@rainbell/shared';
import { type Host, type Log, openSecretFile, openSettingsFile, requireWritableFolder } from '@rainbell/core';
import { writePrivateFile } from '@rainbell/shared/node';

/** Throws AppFailure STORAGE if the data folder is unusable. */
export function createHeadlessHost({ dataFolder, clock, log }: { dataFolder: string; clock: Clock; log: Log }): Host {
  requireWritableFolder(dataFolder);
  const settings = openSettingsFile(dataFolder, clock, (name) => openStore(join(dataFolder, `${name}.json`)));
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

/** The file of electron-store, without the library: its JSON Schema validator would be a tenth of what the start loads. */
function openStore(file: string) {
  return {
    get store() {
      return (existsSync(file) && parseJsonObject(readFileSync(file, 'utf8'))) || {};
    },
    set store(values: Record<string, unknown>) {
      // The user's link to a file elsewhere stays.
      writePrivateFile(existsSync(file) ? realpathSync(file) : file, JSON.stringify(values, null, '\t'));
    },
  };
}
