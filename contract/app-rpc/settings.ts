// The user's settings. They contain no secrets.
import { z } from 'zod';
import { placeSchema } from './places.ts';
import { procedure } from './base.ts';
import { defaultSettings as defaults } from './default-settings.ts';

export const themeSchema = z.enum(['system', 'light', 'dark']);
/** Time zone of displayed times: the place's, the user's, or UTC. */
export const zoneChoiceSchema = z.enum(['place', 'mine', 'utc']);

/** Units and clock on screens; `system` follows the locale. JSON and exports never change. */
const unitFields = {
  temperatureUnit: z.enum(['system', '°C', '°F']),
  precipitationUnit: z.enum(['system', 'mm', 'in']),
  windUnit: z.enum(['system', 'm/s', 'km/h', 'mph', 'kn', 'Bft']),
  pressureUnit: z.enum(['system', 'hPa', 'inHg']),
  clockFormat: z.enum(['system', '24', '12']),
};

/** What the callback receiver stores; the oldest callbacks are deleted first. A longer body is cut and gets 413. */
export const retentionSettingsSchema = z.object({
  keptCallbacks: z.number().int().min(100).max(5_000_000),
  /** Null keeps them forever. */
  keptDays: z.number().int().min(1).max(3650).nullable(),
  keptMegabytes: z.number().int().min(10).max(100_000),
  bodyKilobytes: z.number().int().min(1).max(65_536),
  /** A request with longer headers gets 431. */
  headerKilobytes: z.number().int().min(16).max(256).default(16),
});
export type RetentionSettings = z.infer<typeof retentionSettingsSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:30');

const zoneName = z
  .string()
  .max(60)
  .refine((zone) => isZone(zone), 'must be a time zone such as Europe/Rome');

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Notifications of new callbacks and failing monitors. */
export const notificationsSchema = z.object({
  isOn: z.boolean(),
  /**
   * No notifications between these times, also past midnight; null for no quiet hours. Without `zone`, by the clock of the computer
   * that runs the app.
   */
  quiet: z.object({ from: timeOfDay, until: timeOfDay, zone: zoneName.optional() }).nullable(),
});
export type NotificationChoice = z.infer<typeof notificationsSchema>;

/** The desktop app's behavior in the operating system. Not in the browser host. */
export const desktopSettingsSchema = z.object({
  opensAtLogin: z.boolean(),
  /** If opened at login, show the tray only. */
  startsHidden: z.boolean(),
  onLastWindowClosed: z.enum(['keep-running', 'quit']),
  /** Null: on if the system includes dictionaries (macOS). Elsewhere Chromium downloads one from Google. */
  checksSpelling: z.boolean().nullable(),
});
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>;

const fields = {
  theme: themeSchema,
  zone: zoneChoiceSchema,
  ...unitFields,
  /** Height of rows and controls. */
  density: z.enum(['compact', 'comfortable']),
  /** Whether events are also read from the feed of the active connection's service (docs/feed.md). */
  readsFeed: z.boolean(),
  /** The receiver's port; if it is in use, the next free one. */
  receiverPort: z.number().int().min(1024).max(65_535),
  keptLimits: retentionSettingsSchema,
  notifications: notificationsSchema,
  desktop: desktopSettingsSchema,
  /** Whether an installed app checks for a newer version once a day. */
  checksForUpdates: z.boolean(),
  /** Email address or URL that weather providers may require; null for none. */
  providerContact: z
    .string()
    .max(200)
    // It becomes part of a header.
    .regex(/^[\x20-\x7e]*$/, 'must contain only ASCII characters')
    .nullable(),
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

type Fields = typeof fields;
const withDefaults = Object.fromEntries(
  Object.entries(fields).map(([name, schema]) => [
    name,
    (schema as unknown as z.ZodUnknown).default(defaults[name as keyof Fields]),
  ]),
) as unknown as { [Name in keyof Fields]: z.ZodDefault<Fields[Name]> };

export const settingsSchema = z.object({
  /** The receiver's URL for services on the internet; set by `app.changePublicBase`. */
  publicBase: z.string().nullable().default(defaults.publicBase),
  ...withDefaults,
});
export type Settings = z.infer<typeof settingsSchema>;

export const settings = {
  get: procedure.output(settingsSchema),
  /** Changes only the given fields and returns all. (A partial of fields with defaults would reset the others.) */
  update: procedure.input(z.object(fields).partial()).output(settingsSchema),
};
