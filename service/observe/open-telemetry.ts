// Traces by OpenTelemetry, exported as its standard variables configure. Spans are created manually: instrumented libraries would
// add URLs with locations and keys.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span as OtelSpan } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import { productVersion } from '#shared/project.ts';
import type { Environment } from '#service/config/config.ts';
import type { TraceReceiver } from '#service/config/trace-receivers.ts';
import { createSpanExporter, describeProcess, exportTimeoutMs, usesConsole } from './otlp.ts';
import { remoteContext } from './remote-context.ts';
import type { Span, SpanOptions, Tracing } from './tracing.ts';

const exportFailed = 'telemetry could not be exported';
const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

type Options = { environment: Environment; receivers: readonly TraceReceiver[]; clock: Clock; log: Logger };

/** Throws a StartError for an unsupported variable. */
export function startTracing({ environment, receivers, clock, log }: Options): Tracing {
  const exporter = usesConsole(environment, 'traces') ? new ConsoleSpanExporter() : createSpanExporter(environment);
  const ids = createIds();
  const provider = new BasicTracerProvider({
    resource: describeProcess(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('rainbell-service', productVersion);
  const contexts = new AsyncLocalStorage<Context>();

  function begin({ name, kind, attributes = {}, parent }: SpanOptions): OtelSpan {
    const options = { kind: kinds[kind], attributes };
    if (parent === 'current') return tracer.startSpan(name, options, contexts.getStore() ?? ROOT_CONTEXT);
    if (parent === 'none') return tracer.startSpan(name, options, ROOT_CONTEXT);
    if ('traceparent' in parent) return tracer.startSpan(name, options, remoteContext(parent.traceparent));
    return ids.withTraceId(parent.traceId, () => tracer.startSpan(name, options, ROOT_CONTEXT));
  }

  return {
    async run(options, work) {
      const span = begin(options);
      try {
        return await contexts.run(trace.setSpan(ROOT_CONTEXT, span), () => work(wrap(span)));
      } catch (error) {
        failSpan(span, error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        span.end();
      }
    },
    requestStarted({ headers }) {
      const { traceparent } = headers;
      const context = remoteContext(typeof traceparent === 'string' ? traceparent : '');
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, context);
      contexts.enterWith(trace.setSpan(ROOT_CONTEXT, span));
      return ({ id, method, route, status, isCut }) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({
          'http.request.method': method === 'other' ? '_OTHER' : method,
          'http.route': route,
          'http.response.status_code': status,
          'rainbell.request_id': id,
        });
        if (isCut) failSpan(span, 'cut');
        else if (status >= 500) failSpan(span, String(status));
        span.end();
      };
    },
    current() {
      const span = trace.getSpan(contexts.getStore() ?? ROOT_CONTEXT);
      return span && traceparentOf(span);
    },
    sendsTo: (receiver) => receivers.includes(receiver),
    async close() {
      await within(
        clock,
        exportTimeoutMs('traces'),
        provider.shutdown().catch(() => log.warn(exportFailed)),
      );
    },
  };
}

/** Creates random IDs, and traces with a given ID. */
function createIds() {
  const random = new RandomIdGenerator();
  let nextTraceId: string | undefined;
  return {
    generateTraceId: () => nextTraceId ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
    withTraceId<Result>(traceId: string, start: () => Result): Result {
      nextTraceId = traceId;
      try {
        return start();
      } finally {
        nextTraceId = undefined;
      }
    },
  };
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function wrap(span: OtelSpan): Span {
  return {
    traceparent: traceparentOf(span),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (errorType) => failSpan(span, errorType),
  };
}

function failSpan(span: OtelSpan, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
