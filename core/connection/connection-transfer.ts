// Exports the user's connections to a readable JSON file and imports such a file. Secrets, tokens, and the sandbox, which belongs
// to its machine, are never in it.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Clock, formatInstant, formatSchemaError, parseJsonObject } from '@rainbell/shared';
import { type ConnectionFields, connectionFieldsSchema } from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { sandboxName } from './connection.ts';
import { checkFields, tidyFields } from './connection-rules.ts';

const kind = 'rainbell connections';
const version = 1;
const fileSchema = z.object({
  kind: z.literal(kind),
  version: z.literal(version),
  connections: z.array(z.unknown()).min(1).max(500),
});

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
    /**
     * Adds the connections of a file. Returns their names, and why others were refused.
     * Throws AppFailure INVALID_INPUT, field `file`, if the text is something else.
     */
    import(text: string): { names: string[]; refused: string[] } {
      const { connections } = settings.get();
      const taken = new Set([sandboxName, ...connections.map(({ name }) => name)].map((name) => name.toLowerCase()));
      const refused: string[] = [];
      const added = readEntries(text).flatMap((entry, index) => {
        try {
          const fields = readConnection(entry);
          if (taken.has(fields.name.toLowerCase()))
            throw fileProblem(
              `Another connection is named “${fields.name}”. Rename one of them, and import the file again.`,
            );
          taken.add(fields.name.toLowerCase());
          return [{ ...fields, id: newConnectionId() }];
        } catch (error) {
          refused.push(`Connection ${index + 1} of the file can’t be used: ${toProblem(error).message}`);
          return [];
        }
      });
      if (added.length > 0) {
        settings.update({ connections: [...connections, ...added] });
        onChanged();
      }
      return { names: added.map(({ name }) => name), refused };
    },
  };
}

export function newConnectionId(): string {
  return `c-${randomBytes(6).toString('hex')}`;
}

function readEntries(text: string): unknown[] {
  const found = parseJsonObject(text.replace(/^\uFEFF/, ''));
  const file = fileSchema.safeParse(found);
  if (file.success) return file.data.connections;
  const reason = formatSchemaError(file.error.issues[0], found, 'it');
  throw fileProblem(
    `This is not a file that Rainbell can import (${reason}). Export one with “Export” on the Connections screen.`,
  );
}

function readConnection(entry: unknown): ConnectionFields {
  const read = connectionFieldsSchema.safeParse(entry);
  if (!read.success) throw fileProblem(`${formatSchemaError(read.error.issues[0], entry, 'it')}.`);
  const fields = tidyFields(read.data);
  checkFields(fields);
  return fields;
}

function fileProblem(sentence: string): AppFailure {
  return new AppFailure('INVALID_INPUT', sentence, { field: 'file' });
}
