// The operations of monitor-routes.ts, as openapi.json and the documentation pages show them.
import { z } from 'zod';
import { collectionSchema, monitorBodySchema, monitorSchema } from '@rainbell/contract/service-api';
import type { Operation, Parameter } from '../http/operation.ts';

export const monitorIdParameter: Parameter = {
  name: 'monitor_id',
  in: 'path',
  schema: z.string(),
  example: 'precipitation_1',
  meaning: "ID of one of the calling application's monitors.",
};

const monitorExample = JSON.stringify(
  { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:4545/rain', geo: { lat: 45.07, lng: 7.69 } },
  null,
  2,
);

const common = { group: 'Monitors', access: 'application', isTriable: true } as const;

export const listMonitors: Operation = {
  ...common,
  id: 'list-monitors',
  hasEtag: true,
  title: 'List monitors',
  description: "All of the calling application's monitors.",
  responses: [{ status: 200, meaning: 'A list of monitors.', schema: collectionSchema(monitorSchema) }],
};

export const createMonitor: Operation = {
  ...common,
  id: 'create-monitor',
  title: 'Create a monitor',
  description:
    'Registers a location and a callback URL. When precipitation comes near the location, the service sends a POST to the URL with ' +
    'the monitor as the body, at most once an hour. A username and password in the URL (https://user:password@host/path) are ' +
    'stored encrypted, sent as Authorization: Basic, and never returned.',
  body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
  responses: [{ status: 201, meaning: 'The monitor.', schema: monitorSchema }],
};

export const getMonitor: Operation = {
  ...common,
  id: 'get-monitor',
  hasEtag: true,
  title: 'Get a monitor',
  description: "One of the calling application's monitors.",
  parameters: [monitorIdParameter],
  responses: [{ status: 200, meaning: 'The monitor.', schema: monitorSchema }],
};

export const replaceMonitor: Operation = {
  ...common,
  id: 'replace-monitor',
  title: 'Replace a monitor',
  description: 'Accepts the same fields as creating a monitor. A cool-down in progress continues.',
  parameters: [monitorIdParameter],
  body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
  responses: [{ status: 200, meaning: 'The monitor.', schema: monitorSchema }],
};

export const changeMonitor: Operation = {
  ...common,
  id: 'change-monitor',
  title: 'Change a monitor',
  description: 'Accepts any of the fields. The response has no body.',
  parameters: [monitorIdParameter],
  body: {
    type: 'application/json',
    schema: monitorBodySchema.partial(),
    example: JSON.stringify({ callback_uri: 'http://127.0.0.1:4545/other' }),
  },
  responses: [{ status: 202, meaning: 'The monitor was changed.' }],
};

export const deleteMonitor: Operation = {
  ...common,
  id: 'delete-monitor',
  title: 'Delete a monitor',
  description: 'Deletes the monitor and cancels its pending events. The response has no body.',
  parameters: [monitorIdParameter],
  responses: [{ status: 204, meaning: 'The monitor was deleted.' }],
};
