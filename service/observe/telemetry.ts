// OpenTelemetry: traces, metrics, and logs, each if its standard variables turn it on. Loaded only if one does.
import type { DestinationStream, Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import { within } from '#shared/time/within.ts';
import type { Environment } from '#service/config/config.ts';
import type { TraceReceiver } from '#service/config/trace-receivers.ts';
import { startLogExport } from './log-export.ts';
import type { PushMetrics } from './metrics.ts';
import { startTracing } from './open-telemetry.ts';
import { exportTimeoutMs, logExportFailures } from './otlp.ts';
import { createMetricPush } from './push-metrics.ts';
import { wantsSignal } from './signals.ts';
import type { Tracing } from './tracing.ts';

export type Telemetry = {
  log: Logger;
  tracing?: Tracing | undefined;
  pushMetrics?: PushMetrics | undefined;
  /** Exports the remaining log lines, for a limited time. Call it last; the service closes traces and metrics. */
  close(): Promise<void>;
};

type Options = {
  environment: Environment;
  receivers: readonly TraceReceiver[];
  clock: Clock;
  /** Creates the log; `copy` takes each line as well. */
  createLog(copy?: DestinationStream): Logger;
};

/** Throws a StartError for an unsupported variable. */
export function startTelemetry({ environment, receivers, clock, createLog }: Options): Telemetry {
  let tracing: Tracing | undefined;
  const logs = wantsSignal(environment, 'logs') ? startLogExport(environment, () => tracing?.current()) : undefined;
  const log = createLog(logs);
  logExportFailures(log, clock);
  if (wantsSignal(environment, 'traces')) tracing = startTracing({ environment, receivers, clock, log });
  const pushMetrics = wantsSignal(environment, 'metrics') ? createMetricPush(environment) : undefined;
  return {
    log,
    tracing,
    pushMetrics,
    async close() {
      if (logs)
        await within(
          clock,
          exportTimeoutMs('logs'),
          logs.close().catch(() => {}),
        );
    },
  };
}
