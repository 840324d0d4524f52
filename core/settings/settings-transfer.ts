// Settings to and from a JSON file: without secrets, connections, and what is only the trace of use. An import shows what it
// changes before it does.
import type { SettingChange } from '#contract/app-rpc/settings.ts';
import { settingsSchema } from '#contract/app-rpc/settings.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { formatIssue } from '#shared/errors/schema-error.ts';
import type { Clock } from '#shared/time/clock.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { AppSettings } from './app-settings.ts';

export type SettingsTransfer = {
  export: () => { fileName: string; text: string };
  /** Throws AppFailure INVALID_INPUT that names line and reason. */
  preview: (text: string) => { changes: SettingChange[]; unknown: string[] };
  import: (text: string) => void;
};

const version = 1;
/** Of this computer, or set by procedures of their own that check them first. */
const left = new Set(['publicBase', 'skippedVersion', 'recentPlaces', 'recentCommands']);
const exported = Object.keys(settingsSchema.shape).filter((field) => !left.has(field));
const maxNames = 100;

export function createSettingsTransfer(settings: AppSettings, clock: Clock): SettingsTransfer {
  function read(text: string): { known: Record<string, unknown>; unknown: Record<string, unknown> } {
    const file = parseFile(text);
    const known: Record<string, unknown> = {};
    const unknown: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(file)) {
      const schema = exported.includes(field) ? settingsSchema.shape[field as keyof typeof settingsSchema.shape] : null;
      if (!schema) {
        // Own fields that are not exported, such as connections, never come in by a file.
        if (!settings.isOwnField(field)) unknown[field] = value;
        continue;
      }
      const result = schema.safeParse(value);
      if (!result.success) {
        const [issue] = result.error.issues;
        const path = [field, ...(issue?.path ?? [])].map(String).join('.');
        throw wrong(lineOf(text, path), `${path} ${issue ? formatIssue(issue, value) : 'is not valid'}`);
      }
      known[field] = result.data;
    }
    if (Object.keys(unknown).length > maxNames) throw wrong(1, `the file has more than ${maxNames} unknown settings`);
    return { known, unknown };
  }

  return {
    export() {
      const all = settings.get() as Readonly<Record<string, unknown>>;
      const values = Object.fromEntries(exported.map((field) => [field, all[field]]));
      const at = formatInstant(clock.now());
      const file = {
        rainbell: 'settings',
        version,
        exportedAt: at,
        settings: { ...settings.unknownFields(), ...values },
      };
      return { fileName: `rainbell-settings-${at.slice(0, 10)}.json`, text: `${JSON.stringify(file, undefined, 2)}\n` };
    },
    preview(text) {
      const { known, unknown } = read(text);
      const present = settings.get() as Readonly<Record<string, unknown>>;
      const changes = Object.entries(known).flatMap(([field, to]) => {
        const [before, after] = [JSON.stringify(present[field]), JSON.stringify(to)];
        return before === after ? [] : [{ field, from: shortened(before), to: shortened(after) }];
      });
      return { changes, unknown: Object.keys(unknown).map((name) => name.slice(0, 60)) };
    },
    import(text) {
      const { known, unknown } = read(text);
      settings.update(known, unknown);
    },
  };
}

function parseFile(text: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    const position = /position (\d+)/.exec(reason)?.[1];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
    throw wrong(line, `the file is not valid JSON (${reason.replace(/ in JSON.*$/su, '').slice(0, 80)})`);
  }
  if (!isObject(file) || file['rainbell'] !== 'settings' || !isObject(file['settings'])) {
    throw wrong(1, 'the file is not a Rainbell settings file');
  }
  if (typeof file['version'] !== 'number') throw wrong(1, 'the file has no version');
  if (file['version'] > version) {
    throw wrong(lineOf(text, 'version'), 'the file is from a newer version of Rainbell');
  }
  return file['settings'];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The line of the last name of a path such as `keptLimits.keptDays`, after the names before it. */
function lineOf(text: string, path: string): number {
  let at = 0;
  for (const name of path.split('.')) {
    const found = text.indexOf(`"${name}"`, at);
    if (found !== -1) at = found;
  }
  return text.slice(0, at).split('\n').length;
}

function wrong(line: number, reason: string): AppFailure {
  return new AppFailure('INVALID_INPUT', `Couldn’t read line ${line}: ${reason}.`, { field: 'text' });
}

function shortened(text: string | undefined): string {
  const shown = text ?? '';
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
}
