// Exports the user's connections to a readable JSON file and imports such a file. Secrets, tokens, and the sandbox, which belongs
// to its machine, are never in it.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Clock, formatInstant } from '@rainbell/shared';
import type { ImportedConnection } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { decideImport } from './decide-import.ts';

const kind = 'rainbell connections';
const version = 1;
const maxListLength = 500;

type ConnectionTransferDependencies = { settings: AppSettings; clock: Clock; onChanged: () => void };

export function createConnectionTransfer({ settings, clock, onChanged }: ConnectionTransferDependencies) {
  return {
    export(): { fileName: string; text: string } {
      const exportedAt = formatInstant(clock.now());
      const connections = settings.get().connections.map(({ id: _id, ...fields }) => fields);
      return {
        fileName: `rainbell-connections-${exportedAt.slice(0, 10)}.json`,
        text: `${JSON.stringify({ kind, version, exportedAt, connections }, undefined, 2)}\n`,
      };
    },
    /** Adds the entries that can be imported. Throws AppFailure INVALID_INPUT, field `file`, if the text is something else. */
    import(text: string): { entries: ImportedConnection[] } {
      const { connections, sandboxLook } = settings.get();
      const sandbox = { name: sandboxLook.name, baseUrl: '', clientId: '' };
      const decisions = decideImport(readEntries(text), [sandbox, ...connections]);
      const added = decisions.flatMap(({ fields }) => (fields ? [{ ...fields, id: newConnectionId() }] : []));
      if (added.length > 0) {
        settings.update({ connections: [...connections, ...added] });
        onChanged();
      }
      return { entries: decisions.map(({ report }) => report) };
    },
  };
}

export function newConnectionId(): string {
  return `c-${randomBytes(6).toString('hex')}`;
}

function readEntries(text: string): readonly unknown[] {
  const found = parseJson(text);
  const file = z
    .looseObject({ kind: z.literal(kind), version: z.unknown(), connections: z.unknown() })
    .safeParse(found);
  if (!file.success)
    throw fileProblem('This is not a Rainbell connections file. Export one with “Export” on the Connections screen.');
  if (file.data.version !== version)
    throw fileProblem(`The file has format version ${JSON.stringify(file.data.version)}; it must be ${version}.`);
  const entries = z.array(z.unknown()).max(maxListLength).safeParse(file.data.connections);
  if (!entries.success)
    throw fileProblem(`The field “connections” must be a list of at most ${maxListLength} connections.`);
  if (entries.data.length === 0) throw fileProblem('The file doesn’t contain any connections.');
  return entries.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw fileProblem('The file isn’t valid JSON. Choose a file exported from Connections.');
  }
}

function fileProblem(sentence: string): AppFailure {
  return new AppFailure('INVALID_INPUT', sentence, { field: 'file' });
}
