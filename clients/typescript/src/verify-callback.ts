// Checks that a callback is from the service: signature and time as Standard Webhooks specifies, and the shape of its body.
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { components } from './paths.js';

/** A verified callback. */
export type Callback = {
  /** `webhook-id`: the same for each attempt to deliver an event. Store it to handle each event only once. */
  eventId: string;
  /** When this attempt was sent. */
  sentAt: Date;
  /** True if someone requested this event as a test; no precipitation was detected. */
  isTest: boolean;
  monitor: components['schemas']['Monitor'];
};

/** The request is not a callback from the service, or it is too old. Respond with 400 or 401, never with 2xx. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
}

/** Callbacks are smaller than 3 KB. */
const longestBody = 64 * 1024;

/**
 * Resolves to the callback in a request. `secret`: the application's webhook secret, which begins with `whsec_`; after a change,
 * both secrets work for 24 hours. Throws a CallbackError, which names the problem and never contains the secret.
 */
export async function verifyCallback(request: Request, secret: string): Promise<Callback> {
  if (request.method !== 'POST')
    throw new CallbackError(`A callback is a POST request, not a ${request.method} request.`);
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, request.headers.get(name) ?? '']),
  );
  const { 'webhook-id': eventId = '', 'webhook-timestamp': seconds = '' } = headers;
  // The library also reads "17abc" as a time.
  if (!/^\d{1,12}$/.test(seconds))
    throw new CallbackError('The webhook-timestamp header is missing or not in Unix seconds.');
  const body = await readText(request);
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new CallbackError(`${error.message}.`, { cause: error });
    throw new CallbackError('The webhook secret is not valid: it must be whsec_ followed by base64.', {
      cause: error,
    });
  }
  const monitor = readMonitor(body);
  return { eventId, sentAt: new Date(Number(seconds) * 1000), isTest: eventId.startsWith('test_'), monitor };
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > longestBody) throw new CallbackError('The body is too long to be a callback.');
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  try {
    // Every byte counts for the signature, so a byte order mark stays.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CallbackError('The body is not UTF-8.', { cause: error });
  }
}

function readMonitor(body: string): Callback['monitor'] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new CallbackError('The body is not JSON.', { cause: error });
  }
  const monitor = value as Partial<Callback['monitor']> | null;
  const isMonitor =
    typeof monitor?.id === 'string' &&
    typeof monitor.monitor_type === 'string' &&
    Array.isArray(monitor.geo?.coordinates);
  if (!isMonitor) throw new CallbackError('The body is not a monitor.');
  return monitor as Callback['monitor'];
}
