// The tracing interface, without the library that implements it (open-telemetry.ts), which is loaded only if the standard variables
// enable it. Attributes never contain locations, queries, credentials, or tokens.
import type { IncomingMessage } from 'node:http';
import type { TraceReceiver } from '#service/config/trace-receivers.ts';
import type { EndedRequest } from '../http/request-trace.ts';

export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanOptions = {
  name: string;
  kind: 'client' | 'internal';
  attributes?: SpanAttributes;
  /** Its parent: the current span, none, a trace that it starts (32 hexadecimal digits), or a `traceparent`. */
  parent: 'current' | 'none' | { traceId: string } | { traceparent: string };
};

export type Span = {
  /** W3C Trace Context, to send along. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  fail(errorType: string): void;
};

export type Tracing = {
  /** Runs the work in a span, which ends with it; a rejection marks it as failed. */
  run<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Starts a request's span, in which all later work runs. */
  requestStarted(request: IncomingMessage): (ended: EndedRequest) => void;
  /** `traceparent` of what is running. */
  current(): string | undefined;
  sendsTo(receiver: TraceReceiver): boolean;
  /** Exports the remaining spans, for at most 2 s. */
  close(): Promise<void>;
};

const noSpan: Span = { traceparent: '', set() {}, fail() {} };

/** `work` in a span if there is tracing. */
export function traced<Result>(
  tracing: Tracing | undefined,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracing ? tracing.run(options, work) : work(noSpan);
}
