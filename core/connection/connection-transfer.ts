// Exports connections to a file and imports them. Exports include secrets only with a passphrase; an import is previewed and then
// applied completely or not at all. The sandbox is never exported, because it belongs to its machine.
import { randomBytes } from 'node:crypto';
import type { Clock } from '#shared/time/clock.ts';
import type { ConnectionFields, ImportedConnection, ImportPreview } from '#contract/app-rpc/connections.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { SecretsPort } from '#core/ports/host.ts';
import type { AppSettings, StoredSettings } from '../settings/app-settings.ts';
import { clientSecretName } from './connection.ts';
import { openSecrets, readConnectionFile, writeConnectionFile } from './connection-file.ts';
import { decideImport, type ImportDecision } from './connection-import.ts';

type OwnConnection = StoredSettings['connections'][number];

export type ConnectionTransfer = {
  /** `passphrase` null leaves the secrets behind. */
  export: (ids: readonly string[], passphrase: string | null) => Promise<ExportedFile>;
  previewImport: (text: string, passphrase: string | null) => Promise<ImportPreview>;
  /** Throws AppFailure INVALID_INPUT if one of the entries can't be imported; then none is. */
  import: (
    text: string,
    passphrase: string | null,
    indexes: readonly number[],
  ) => Promise<{ entries: ImportedConnection[] }>;
};

export type ExportedFile = { fileName: string; text: string; secretCount: number };

type ConnectionTransferDependencies = {
  settings: AppSettings;
  secrets: SecretsPort;
  clock: Clock;
  onChanged: () => void;
};

export function createConnectionTransfer({
  settings,
  secrets,
  clock,
  onChanged,
}: ConnectionTransferDependencies): ConnectionTransfer {
  function find(id: string): OwnConnection {
    const found = settings.get().connections.find((connection) => connection.id === id);
    if (found) return found;
    throw new AppFailure(
      'NOT_FOUND',
      'One of the connections to export was deleted or is the sandbox, which can’t be exported.',
      { field: 'ids' },
    );
  }

  /** A file that silently lacks a stored secret would be a broken backup. */
  function requireReadable(withoutValue: readonly OwnConnection[]): void {
    const unread = withoutValue.filter(({ id }) => secrets.stateOf(clientSecretName(id)) !== 'absent');
    if (unread.length === 0) return;
    const names = unread.map(({ name }) => `“${name}”`).join(', ');
    throw new AppFailure(
      'UNAVAILABLE',
      `Couldn’t export the client secrets of ${names}: the stored values can’t be read right now. Unlock the system’s keyring or enter them again, or export without secrets.`,
    );
  }

  async function decide(text: string, passphrase: string | null) {
    const file = readConnectionFile(text);
    const { sealed } = file;
    const opened = sealed && passphrase !== null ? await openSecrets({ ...file, sealed }, passphrase) : undefined;
    const { connections, sandboxLook } = settings.get();
    const sandbox = { name: sandboxLook.name, baseUrl: '', clientId: '' };
    const decisions = decideImport(file.entries, opened, [sandbox, ...connections]);
    return { file, decisions, areOpen: opened !== undefined };
  }

  /** Secrets first: a connection without its secret would be half an import. */
  async function add(taken: readonly (ImportDecision & { fields: ConnectionFields })[]): Promise<void> {
    const made = taken.map(({ fields, clientSecret }) => ({ id: newConnectionId(), fields, clientSecret }));
    try {
      for (const { id, clientSecret } of made) {
        if (clientSecret !== undefined) await secrets.write(clientSecretName(id), clientSecret);
      }
      const added = made.map(({ id, fields }): OwnConnection => ({ ...fields, id }));
      settings.update({ connections: [...settings.get().connections, ...added] });
    } catch (error) {
      await Promise.allSettled(made.map(({ id }) => secrets.write(clientSecretName(id), null)));
      throw error;
    }
  }

  return {
    async export(ids, passphrase) {
      const chosen = ids.map(find);
      const fields = chosen.map(({ id: _id, ...others }) => others);
      const values = await Promise.all(chosen.map(({ id }) => secrets.read(clientSecretName(id))));
      if (passphrase !== null) requireReadable(chosen.filter((_, index) => values[index] === null));
      const sealed = passphrase === null ? null : { passphrase, values };
      const text = await writeConnectionFile(fields, sealed, clock.now());
      return {
        fileName: `rainbell-connections-${formatInstant(clock.now()).slice(0, 10)}.json`,
        text,
        secretCount: sealed ? values.filter((value) => value !== null).length : 0,
      };
    },
    async previewImport(text, passphrase) {
      const { file, decisions, areOpen } = await decide(text, passphrase);
      return {
        exportedAt: file.exportedAt,
        secrets: file.sealed === null ? 'none' : areOpen ? 'open' : 'locked',
        entries: decisions.map(({ report }) => report),
      };
    },
    async import(text, passphrase, indexes) {
      const { decisions } = await decide(text, passphrase);
      const taken = [...new Set(indexes)].map((index) => {
        const decision = decisions[index];
        if (decision?.fields) return { ...decision, fields: decision.fields };
        const notes = decision?.report.notes.join(' ') ?? 'The file has no such entry.';
        throw new AppFailure('INVALID_INPUT', `Entry ${index + 1} cannot be imported: ${notes} Nothing was imported.`, {
          field: 'indexes',
        });
      });
      await add(taken);
      onChanged();
      return { entries: taken.map(({ report }) => report) };
    },
  };
}

export function newConnectionId(): string {
  return `c-${randomBytes(6).toString('hex')}`;
}
