// The person's settings: read once from the host's file, validated field by field, written whole. A value that does not
// fit is replaced by its default, said in a notice, and the file as it was is kept under another name.
import { settingsSchema, type Settings } from '#contract/procedures/settings.ts';
import { AppFailure } from '../app-failure.ts';
import type { SettingsPort } from '../host.ts';

export type AppSettings = {
  readonly notices: readonly string[];
  get: () => Settings;
  /** Throws AppFailure STORAGE when the file cannot be written; then nothing changed. */
  update: (changes: { [Field in keyof Settings]?: Settings[Field] | undefined }) => Settings;
};

export function createAppSettings(port: SettingsPort, onChanged: () => void): AppSettings {
  const { settings, badFields } = readTolerantly(port.read());
  const notices = badFields.length > 0 ? [badFieldsNotice(badFields, port.setAside())] : [];
  let current = settings;
  return {
    notices,
    get: () => current,
    update(changes) {
      const next = settingsSchema.parse({ ...current, ...changes });
      try {
        port.write(next);
      } catch (error) {
        throw new AppFailure(
          'STORAGE',
          `The settings could not be written (${error instanceof Error ? error.message : 'unknown reason'}). Check the data folder's permissions and free space.`,
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

function readTolerantly(stored: unknown): { settings: Settings; badFields: string[] } {
  const values = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const badFields: string[] = [];
  const good: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(settingsSchema.shape)) {
    if (values[field] === undefined) continue;
    const result = schema.safeParse(values[field]);
    if (result.success) good[field] = result.data;
    else badFields.push(field);
  }
  return { settings: settingsSchema.parse(good), badFields };
}

function badFieldsNotice(fields: readonly string[], keptAs: string | null): string {
  const kept = keptAs === null ? '' : ` The file as it was is kept as ${keptAs}.`;
  return `The settings file had values that do not fit (${fields.join(', ')}); the defaults are used for them.${kept}`;
}
