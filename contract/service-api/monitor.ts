// Monitors as JSON (docs/interface.md §2.2, §4.5).
import { z } from 'zod';
import { globePointSchema, latLngSchema } from './geo.ts';
import { monitorOptions } from './rain-event.ts';

export const monitorTypes = ['precipitation'] as const;
export type MonitorType = (typeof monitorTypes)[number];

/** What a client reads. A list item may lack `callback_uri` (docs/interface.md §2.2), and other services may add members. */
export const monitorSchema = z.looseObject({
  id: z.string(),
  monitor_type: z.string(),
  callback_uri: z.string().optional(),
  geo: globePointSchema,
  uri: z.string().optional(),
  // Another service may use these names.
  payload: monitorOptions.payload.catch(undefined),
  events: monitorOptions.events.catch(undefined),
  conditions: monitorOptions.conditions.catch(undefined),
});

/** Maximum length of a callback URL, in characters. */
export const callbackUriLimit = 2048;

/** Body of POST and PUT as a client sends it; the service also accepts a GeoJSON Point, as in its responses. */
export const monitorBodySchema = z.object({
  monitor_type: z.enum(monitorTypes),
  callback_uri: z.string(),
  geo: latLngSchema,
  ...monitorOptions,
});
export type MonitorBody = z.infer<typeof monitorBodySchema>;

/** docs/interface.md §8: the minimum time between two events of a monitor. */
export const eventIntervalSeconds = 3600;
