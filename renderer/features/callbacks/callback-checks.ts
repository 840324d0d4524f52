// What a callback's body should be (§6: the Monitor object that triggered the event, §2.2), checked field by field.
import type { Callback } from '#contract/procedures/callbacks.ts';
import type { AppMonitor } from '#contract/procedures/monitors.ts';
import { bytesOf, textOf } from './body-text.ts';

export type CallbackCheck = { isGood: boolean; words: string };

const mandatory = ['id', 'monitor_type', 'callback_uri', 'geo', 'uri'] as const;

/** Empty where the request is nothing like a callback (no POST, or no body). */
export function checksOf(
  callback: Callback,
  monitors: readonly AppMonitor[],
  receiverUrl: string | null,
): readonly CallbackCheck[] {
  if (callback.method !== 'POST' || callback.sizeBytes === 0) return [];
  const body = monitorBody(callback);
  if (!body) return [{ isGood: false, words: 'The body is no JSON object, so it is no Monitor (interface §2.2).' }];
  return [shapeCheck(body), registeredCheck(body, monitors), ...addressCheck(body, callback, receiverUrl)];
}

function monitorBody(callback: Callback): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(textOf(bytesOf(callback.bodyBase64)) ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function shapeCheck(body: Record<string, unknown>): CallbackCheck {
  const missing = mandatory.filter((name) => !(name in body));
  const extra = Object.keys(body).filter((name) => !mandatory.some((known) => known === name));
  if (missing.length === 0 && extra.length === 0)
    return { isGood: true, words: 'The body is a Monitor object (interface §2.2).' };
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`not in the interface: ${extra.join(', ')}`] : []),
  ];
  return {
    isGood: missing.length === 0,
    words: `The body against the Monitor object (interface §2.2): ${parts.join('; ')}.`,
  };
}

function registeredCheck(body: Record<string, unknown>, monitors: readonly AppMonitor[]): CallbackCheck {
  const isKnown = monitors.some(({ id }) => id === body['id']);
  return {
    isGood: isKnown,
    words: isKnown
      ? 'The monitor is registered by this application.'
      : 'This application has no monitor with that id (any more).',
  };
}

function addressCheck(
  body: Record<string, unknown>,
  callback: Callback,
  receiverUrl: string | null,
): readonly CallbackCheck[] {
  const uri = body['callback_uri'];
  if (typeof uri !== 'string' || receiverUrl === null || !URL.canParse(uri)) return [];
  const wanted = new URL(uri);
  const isCalled = `${wanted.pathname}${wanted.search}` === callback.target;
  return [
    {
      isGood: isCalled,
      words: isCalled
        ? 'Its callback_uri is the address that was called.'
        : `Its callback_uri is another address: ${uri}`,
    },
  ];
}
