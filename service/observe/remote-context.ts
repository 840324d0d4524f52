import { type Context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** Returns the context of a `traceparent` that is valid; otherwise the root. */
export function remoteContext(traceparent: string): Context {
  const parsed = parseTraceParent(traceparent);
  return parsed ? trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true }) : ROOT_CONTEXT;
}
