// The person's choices. Secrets are not here.
import { z } from 'zod';
import { placeSchema } from './places.ts';
import { procedure } from './base.ts';

export const themeSchema = z.enum(['system', 'light', 'dark']);
/** In which zone instants are shown: the place's, the person's, or UTC. */
export const zoneChoiceSchema = z.enum(['place', 'mine', 'utc']);

const fields = {
  theme: themeSchema,
  zone: zoneChoiceSchema,
  /** The receiver's port; the next free one is taken when it is in use. */
  receiverPort: z.number().int().min(1024).max(65_535),
  /** The place shown at start. */
  place: placeSchema,
  savedPlaces: z.array(placeSchema).max(500),
};

export const settingsSchema = z.object({
  theme: fields.theme.default('system'),
  zone: fields.zone.default('place'),
  receiverPort: fields.receiverPort.default(4545),
  place: fields.place.default({ name: 'Torino', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null }),
  savedPlaces: fields.savedPlaces.default([]),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settings = {
  get: procedure.output(settingsSchema),
  /** Changes the given fields only and answers the whole. (A partial of fields with defaults would reset the others.) */
  update: procedure.input(z.object(fields).partial()).output(settingsSchema),
};
