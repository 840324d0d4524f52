// The person's choices. Secrets are not here.
import { z } from 'zod';
import { placeSchema } from './places.ts';
import { procedure } from './base.ts';

export const themeSchema = z.enum(['system', 'light', 'dark']);
/** In which zone instants are shown: the place's, the person's, or UTC. */
export const zoneChoiceSchema = z.enum(['place', 'mine', 'utc']);

/** What the callback receiver keeps; the oldest callbacks go first. A longer body is cut and answered 413. */
export const keptLimitsSchema = z.object({
  keptCallbacks: z.number().int().min(100).max(5_000_000),
  /** Null keeps them however old they are. */
  keptDays: z.number().int().min(1).max(3650).nullable(),
  keptMegabytes: z.number().int().min(10).max(100_000),
  bodyKilobytes: z.number().int().min(1).max(65_536),
});
export type KeptLimits = z.infer<typeof keptLimitsSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:30');

/** Notifications of new callbacks, by the machine's own time of day. */
export const notificationsSchema = z.object({
  isOn: z.boolean(),
  /** None are shown from here to there, over midnight where it is so; null for no quiet hours. */
  quiet: z.object({ from: timeOfDay, until: timeOfDay }).nullable(),
});
export type NotificationChoice = z.infer<typeof notificationsSchema>;

const fields = {
  theme: themeSchema,
  zone: zoneChoiceSchema,
  /** The receiver's port; the next free one is taken when it is in use. */
  receiverPort: z.number().int().min(1024).max(65_535),
  keptLimits: keptLimitsSchema,
  notifications: notificationsSchema,
  /** The place shown at start. */
  place: placeSchema,
  savedPlaces: z.array(placeSchema).max(500),
  /** Places looked at, the newest first. */
  recentPlaces: z.array(placeSchema).max(8),
};

export const settingsSchema = z.object({
  /** Where services on other machines reach the receiver; `app.changePublicBase` sets it. */
  publicBase: z.string().nullable().default(null),
  theme: fields.theme.default('system'),
  zone: fields.zone.default('place'),
  receiverPort: fields.receiverPort.default(4545),
  keptLimits: fields.keptLimits.default({
    keptCallbacks: 1_000_000,
    keptDays: null,
    keptMegabytes: 4096,
    bodyKilobytes: 1024,
  }),
  notifications: fields.notifications.default({ isOn: true, quiet: null }),
  place: fields.place.default({ name: 'Torino', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null }),
  savedPlaces: fields.savedPlaces.default([]),
  recentPlaces: fields.recentPlaces.default([]),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settings = {
  get: procedure.output(settingsSchema),
  /** Changes the given fields only and answers the whole. (A partial of fields with defaults would reset the others.) */
  update: procedure.input(z.object(fields).partial()).output(settingsSchema),
};
