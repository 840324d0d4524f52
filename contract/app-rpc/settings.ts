// The user's settings. They contain no secrets.
import { z } from 'zod';
import { placeSchema } from './places.ts';
import { doneSchema, procedure } from './base.ts';
import { storedDefaults, type settingsTable, settingRows, type ValueControl } from './settings-table.ts';

type Table = typeof settingsTable;
type ValueOf<Row> = Row extends { choices: readonly { value: infer Value }[] }
  ? Value
  : Row extends { control: 'switch' }
    ? boolean
    : Row extends { control: 'number' }
      ? number | (Row extends { emptyLabel: string } ? null : never)
      : string | null;
type RowSchemas = {
  [Key in keyof Table as Table[Key] extends ValueControl ? Key : never]: z.ZodType<
    ValueOf<Table[Key]>,
    ValueOf<Table[Key]>
  >;
};
type SchemasOfParts<Field extends string> = {
  [Key in keyof RowSchemas as Key extends `${Field}.${infer Part}` ? Part : never]: RowSchemas[Key];
};

function schemaOf(row: ValueControl): z.ZodType {
  switch (row.control) {
    case 'choice':
      return z.enum(row.choices.map(({ value }) => value));
    case 'switch':
      return z.boolean();
    case 'number': {
      const whole = z.int().min(row.min).max(row.max);
      return 'emptyLabel' in row ? whole.nullable() : whole;
    }
    case 'text':
      // It becomes part of a header.
      return z
        .string()
        .max(row.max)
        .regex(/^[\x20-\x7e]*$/, 'must contain only ASCII characters')
        .nullable();
  }
}

const rowSchemas = settingRows.flatMap((row) =>
  row.control === 'custom' ? [] : [[row.id as string, schemaOf(row)] as const],
);

function partsOf<Field extends string>(field: Field): SchemasOfParts<Field> {
  const parts = rowSchemas.filter(([key]) => key.startsWith(`${field}.`));
  return Object.fromEntries(
    parts.map(([key, schema]) => [key.slice(field.length + 1), schema]),
  ) as SchemasOfParts<Field>;
}

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:30');

/** Notifications of new callbacks and failing monitors. */
const notificationsSchema = z.object({
  isOn: z.boolean(),
  /** No notifications between these times by this computer's clock, also past midnight; null for no quiet hours. */
  quiet: z.object({ from: timeOfDay, until: timeOfDay }).nullable(),
});
export type NotificationChoice = z.infer<typeof notificationsSchema>;

/** What has no row with a value in the table. */
const otherFields = {
  /** What the callback receiver stores; the oldest callbacks are deleted first. */
  keptLimits: z.object(partsOf('keptLimits')),
  notifications: notificationsSchema,
  /** The desktop app's behavior in the operating system. Not in the browser host. */
  desktop: z.object({
    opensAtLogin: z.boolean(),
    /** If opened at login, show the tray only. */
    startsHidden: z.boolean(),
    onLastWindowClosed: z.enum(['keep-running', 'quit']),
    /** Null: on if the system includes dictionaries (macOS). Elsewhere Chromium downloads one from Google. */
    checksSpelling: z.boolean().nullable(),
  }),
  /** A version the user does not want to be reminded of; null for none. */
  skippedVersion: z.string().max(100).nullable(),
  /** The getting-started steps: open, hidden, or done. */
  getStarted: z.enum(['open', 'closed', 'done']),
  /** The place shown at start. */
  place: placeSchema,
  savedPlaces: z.array(placeSchema).max(500),
  /** Recently viewed places, newest first. */
  recentPlaces: z.array(placeSchema).max(8),
  /** IDs of the commands last run from the palette, newest first. */
  recentCommands: z.array(z.string().max(100)).max(20),
};

type Fields = Omit<RowSchemas, `${string}.${string}`> & typeof otherFields;
const fields = {
  ...Object.fromEntries(rowSchemas.filter(([key]) => !key.includes('.'))),
  ...otherFields,
} as Fields;

const withDefaults = Object.fromEntries(
  Object.entries<z.ZodType>(fields).map(([name, schema]) => [name, schema.default(storedDefaults[name])]),
) as { [Name in keyof Fields]: z.ZodDefault<Fields[Name]> };

export const settingsSchema = z.object({
  /** The receiver's URL for services on the internet; set by `app.changePublicBase`. */
  publicBase: z.string().nullable().default(null),
  ...withDefaults,
});
export type Settings = z.infer<typeof settingsSchema>;

export const settings = {
  /** Changes only the given fields. (A partial of fields with defaults would reset the others.) A notice has all of them. */
  update: procedure.input(z.object(fields).partial()).output(doneSchema),
};
