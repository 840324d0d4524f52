// A connection saved in the app, by its name, with its secret if this host can read it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, readText } from '@rainbell/shared';
import { connectionFieldsSchema } from '@rainbell/contract/app-rpc';
import { clientSecretName, openSecretFile } from '@rainbell/core';
import { UsageError } from '../terminal/arguments.ts';

export const connectionsSchema = z.array(connectionFieldsSchema.extend({ id: z.string() }));
const settingsSchema = z.object({ connections: connectionsSchema.default([]) });

/** The secret is undefined if only the desktop’s keyring has it, or none is saved. Throws UsageError if there is no such connection. */
export async function readSavedConnection(name: string, dataFolder: string, clock: Clock) {
  const { connections } = readSettings(dataFolder);
  const found = connections.find((connection) => connection.name.toLowerCase() === name.toLowerCase());
  if (!found) {
    const known = connections.map((connection) => `“${connection.name}”`).join(', ');
    throw new UsageError(
      `There is no connection “${name}” in ${dataFolder}. ${known === '' ? 'The app has no connections yet.' : `Connections: ${known}.`}`,
    );
  }
  const hasOwnFile = ['secrets.key', 'secrets.json'].every((file) => existsSync(join(dataFolder, file)));
  const secrets = hasOwnFile ? openSecretFile({ folder: dataFolder, clock }).secrets : undefined;
  const { id, baseUrl, clientId, isPublic } = found;
  const clientSecret = isPublic ? undefined : ((await secrets?.read(clientSecretName(id))) ?? undefined);
  return { appConnectionId: id, baseUrl, clientId, isPublic, clientSecret };
}

function readSettings(dataFolder: string): z.infer<typeof settingsSchema> {
  const file = join(dataFolder, 'settings.json');
  if (!existsSync(file)) return { connections: [] };
  try {
    return settingsSchema.parse(JSON.parse(readText(readFileSync(file)).text));
  } catch {
    throw new UsageError(`The settings in ${dataFolder} cannot be read. Start the app to repair them.`);
  }
}
