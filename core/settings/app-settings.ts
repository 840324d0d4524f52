// The user's settings: read once from the host's file, validated field by field, written whole. An invalid value is replaced by its
// default and reported in a notice, and the original file is backed up under another name.
import { z } from 'zod';
import { connectionFieldsSchema, settingsSchema } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { isJsonObject } from '@rainbell/shared';
import type { SettingsPort } from '../ports/host.ts';

const connectionSchema = connectionFieldsSchema.extend({ id: z.string().regex(/^[a-z0-9-]{1,40}$/) });

/** The settings file: what the settings screen shows, and the connections without their secrets. */
const storedSettingsSchema = settingsSchema.extend({
  connections: z.array(connectionSchema).default([]),
  selectedConnection: z.string().default('sandbox'),
  /** IDs of the connections whose sign-in window remembers the user. */
  keptBrowserSessions: z.array(z.string()).default([]),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

type Fields = Readonly<Record<string, unknown>>;

export type AppSettings = ReturnType<typeof createAppSettings>;

export function createAppSettings(port: SettingsPort, onChanged: () => void) {
  const stored = fieldsOf(port.read());
  const { settings, badFields } = readTolerantly(stored);
  /** Fields of a newer version are written back as they were, also those of a connection, by its ID. */
  const unknown = without(stored, storedSettingsSchema.shape);
  const storedConnections = Array.isArray(stored['connections']) ? stored['connections'].map(fieldsOf) : [];
  const unknownOf = new Map(storedConnections.map((one) => [one['id'], without(one, connectionSchema.shape)]));
  const unknownNames = [...new Set([unknown, ...unknownOf.values()].flatMap((fields) => Object.keys(fields)))];
  const notices = [
    ...(badFields.length > 0 ? [badFieldsNotice(badFields, port.backUp())] : []),
    ...(unknownNames.length > 0 ? [unknownFieldsNotice(unknownNames)] : []),
  ];
  let current = settings;
  return {
    notices,
    get: (): StoredSettings => current,
    /** Throws AppFailure STORAGE when the file cannot be written; then nothing changed. */
    update(changes: { [Field in keyof StoredSettings]?: StoredSettings[Field] | undefined }): StoredSettings {
      const next = storedSettingsSchema.parse({ ...current, ...changes });
      try {
        const connections = next.connections.map((one) => ({ ...unknownOf.get(one.id), ...one }));
        const all: StoredSettings = { ...unknown, ...next, connections };
        port.write(all);
      } catch (error) {
        throw new AppFailure(
          'STORAGE',
          `The settings could not be written (${error instanceof Error ? error.message : 'unknown reason'}). Check the data folder’s permissions and free space.`,
          {},
          { cause: error },
        );
      }
      current = next;
      onChanged();
      return current;
    },
  };
}

function fieldsOf(stored: unknown): Fields {
  return isJsonObject(stored) ? stored : {};
}

function without(fields: Fields, known: object): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(known, name)));
}

const maxNames = 5;

function unknownFieldsNotice(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, 40));
  const list = [...shown, ...(names.length > maxNames ? ['…'] : [])].join(', ');
  return `The settings file has fields that this version of Rainbell doesn’t support (${list}), probably from a newer version. Rainbell leaves them in the file.`;
}

function readTolerantly(values: Fields): { settings: StoredSettings; badFields: string[] } {
  const badFields: string[] = [];
  const good: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(storedSettingsSchema.shape)) {
    if (values[field] === undefined) continue;
    let result = schema.safeParse(values[field]);
    if (!result.success) {
      badFields.push(field);
      const bad = Object.fromEntries(result.error.issues.map(({ path }) => [String(path[0]), true]));
      const value = values[field];
      // One bad connection or limit doesn't take the others with it.
      if (Array.isArray(value)) result = schema.safeParse(value.filter((_, index) => !Object.hasOwn(bad, index)));
      if (field === 'keptLimits')
        result = schema.safeParse({ ...storedSettingsSchema.parse({}).keptLimits, ...without(fieldsOf(value), bad) });
    }
    if (result.success) good[field] = result.data;
  }
  return { settings: storedSettingsSchema.parse(good), badFields };
}

function badFieldsNotice(fields: readonly string[], keptAs: string | null): string {
  const kept = keptAs === null ? '' : ` The original file was backed up as ${keptAs}.`;
  return `The settings file has invalid values (${fields.join(', ')}), which Rainbell ignores.${kept}`;
}
