// What a client may send for a monitor (docs/interface.md §4.5): the fields of POST and PUT, any subset of them for PATCH. Errors
// name the field, the rule, and what to do. `geo` is `{lat, lng}` or the GeoJSON Point that the service returns.
import { z } from 'zod';
import {
  callbackUriLimit,
  latitudeSchema,
  type LatLng,
  conditionsSchema,
  longitudeSchema,
  monitorOptions,
  type MonitorOptions,
  type MonitorType,
  monitorTypes,
  type OptionChanges,
  optionsOf,
  optionsProblem,
  toLatLng,
} from '@rainbell/contract/service-api';
import { valueAt } from '@rainbell/shared';
import { callbackUrlProblem } from '@rainbell/shared/node';
import { ServiceError, quotable } from '../errors/service-error.ts';

export type MonitorFields = {
  monitor_type: MonitorType;
  /** Without the URL's username and password. */
  callback_uri: string;
  /** Credentials from `callback_uri` (`readCallback`). */
  credentials?: string | undefined;
  geo: LatLng;
  /** Null removes a member; PUT and POST name all of them. */
  options?: OptionChanges;
};

const geoRule = 'must be an object like {lat: 45.07, lng: 7.69}, or a GeoJSON Point';

const requestGeo = z.strictObject({ lat: latitudeSchema, lng: longitudeSchema }, geoRule);
const geoJson = z.strictObject(
  {
    type: z.literal('Point', 'must be Point'),
    coordinates: z.tuple([longitudeSchema, latitudeSchema], z.number(), 'must be two numbers, longitude first'),
  },
  geoRule,
);

const callbackSchema = z
  .string('must be a string, the http or https URL for callbacks')
  .max(callbackUriLimit, `must be at most ${callbackUriLimit} characters long`)
  .transform((given, context) => {
    const callback = readCallback(given);
    if (typeof callback !== 'string') return callback;
    context.addIssue(callback);
    return z.NEVER;
  });

const fields = {
  monitor_type: z.literal(monitorTypes, `must be ${monitorTypes.join(' or ')}`),
  callback_uri: callbackSchema,
  // Checked by `parseGeo`.
  geo: z.custom<unknown>((value) => value !== undefined, geoRule),
};

const options = {
  payload: monitorOptions.payload.nullable(),
  events: monitorOptions.events.nullable(),
  conditions: monitorOptions.conditions.nullable(),
};

const bodyRule = 'The body must be a JSON object with monitor_type, callback_uri, and geo.';
const fullBody = z.strictObject({ ...fields, ...options }, bodyRule);
const partialBody = z.strictObject(fields, bodyRule).partial().extend(options);

/** Body of POST and PUT. Throws a ServiceError that names the field. */
export function parseMonitorBody(body: unknown): MonitorFields {
  const { monitor_type, callback_uri: callback, geo, ...given } = parse(fullBody, body);
  const none = { payload: null, events: null, conditions: null };
  return { monitor_type, ...callback, geo: parseGeo(geo), options: { ...none, ...given } };
}

export function parseMonitorChanges(body: unknown): Partial<MonitorFields> {
  const { monitor_type, callback_uri: callback, geo, ...given } = parse(partialBody, body);
  return {
    ...(Object.keys(given).length === 0 ? {} : { options: given }),
    ...(monitor_type === undefined ? {} : { monitor_type }),
    ...callback,
    ...(geo === undefined ? {} : { geo: parseGeo(geo) }),
  };
}

/** Returns a monitor's members as JSON after a change; null: the interface's callback. Throws if they don't fit together. */
export function optionsAfter(before: string | null, changes: OptionChanges = {}): string | null {
  const merged: OptionChanges = { ...(before === null ? {} : (JSON.parse(before) as MonitorOptions)), ...changes };
  const problem = optionsProblem(merged);
  if (problem !== undefined) throw new ServiceError('invalid_request', problem);
  const wanted = optionsOf(merged);
  return wanted ? JSON.stringify(wanted) : null;
}

function parseGeo(value: unknown): LatLng {
  const isGeoJson = typeof value === 'object' && value !== null && ('type' in value || 'coordinates' in value);
  return isGeoJson ? toLatLng(parse(geoJson, value, ['geo'])) : parse(requestGeo, value, ['geo']);
}

/**
 * Removes the address of a monitor, because clients send back what they read: in POST any `id` and `uri` that are text, in PUT and PATCH
 * only the monitor's own.
 */
export function withoutAddress(body: unknown, own?: { id: string; uri: string }): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const isAddress = (name: string): name is 'id' | 'uri' => name === 'id' || name === 'uri';
  const rest = Object.entries(body).filter(
    ([name, value]) => !isAddress(name) || (own ? value !== own[name] : typeof value !== 'string'),
  );
  const foreign = own && rest.find(([name]) => isAddress(name));
  if (foreign) throw new ServiceError('invalid_request', `${foreign[0]} cannot be changed; omit it.`);
  return Object.fromEntries(rest);
}

/** `path`: location of this value in the body. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string[] = []): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = issue ? sentence(issue, [...path, ...issue.path], valueAt(value, issue.path)) : bodyRule;
  throw new ServiceError('invalid_request', problem);
}

function sentence(issue: z.core.$ZodIssue, path: readonly PropertyKey[], value: unknown): string {
  const field = quotable(path.join('.'));
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => quotable(field === '' ? key : `${field}.${key}`)).join(', ');
    const label = issue.keys.length === 1 ? 'Unknown field' : 'Unknown fields';
    const owner =
      field === 'conditions'
        ? `conditions has ${Object.keys(conditionsSchema.shape).join(', ')}.`
        : 'A monitor has monitor_type, callback_uri, and geo (lat, lng).';
    return `${label}: ${names}. ${owner}`;
  }
  if (field === '') return bodyRule;
  return value === undefined ? `${field} is missing; it ${issue.message}.` : `${field} ${issue.message}.`;
}

/** `credentials`: as `user:password`; '' if the URL has an empty user, undefined if it names none. */
type GivenCallback = Pick<MonitorFields, 'callback_uri' | 'credentials'>;

/**
 * Splits a callback URL into the URL to call and its username and password (Basic, RFC 7617). Returns the end of a sentence about
 * the URL if it can't be used, which never includes the password.
 */
export function readCallback(given: string): GivenCallback | string {
  const [, scheme = '', rest = ''] = /^(https?:\/\/)[^/?#\\]*@(.*)$/is.exec(given) ?? [];
  const callback_uri = scheme === '' ? given : scheme + rest;
  const problem = callbackUrlProblem(callback_uri);
  if (problem !== undefined || scheme === '') return problem ?? { callback_uri, credentials: undefined };
  if (!URL.canParse(given) || new URL(given).host !== new URL(callback_uri).host) return 'must be a full URL';
  const { username, password } = new URL(given);
  if (username === '' && password === '') return { callback_uri, credentials: '' };
  const [user, secret] = [decoded(username), decoded(password)];
  if (user === undefined || secret === undefined)
    return 'must not have an invalid percent-encoding in its username or password';
  if (user.includes(':')) return 'must not have a colon in its username';
  // oxlint-disable-next-line no-control-regex -- RFC 7617 section 2 forbids them
  if (/[\0-\x1F\x7F]/.test(user + secret)) return 'must not have control characters in its username or password';
  return { callback_uri, credentials: `${user}:${secret}` };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
