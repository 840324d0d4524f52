// Sends the log to a collector by OTLP, beside stderr. A line that is written during a request, sweep, or delivery names its trace.
import { getNumberFromEnv } from '@opentelemetry/core';
import { type LogAttributes, SeverityNumber } from '@opentelemetry/api-logs';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { productVersion } from '#shared/project.ts';
import type { Environment } from '#service/config/config.ts';
import { createLogExporter, describeProcess } from './otlp.ts';
import { remoteContext } from './remote-context.ts';

export type LogExport = {
  /** Takes one of pino's lines, secrets already redacted. */
  write(line: string): void;
  close(): Promise<void>;
};

// The standard's defaults: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
const defaultDelayMs = 1_000;
const defaultQueueSize = 2_048;
const defaultBatchSize = 512;
const defaultTimeoutMs = 30_000;

/** `currentTrace`: returns the `traceparent` of what is running. Throws a StartError for an unsupported variable. */
export function startLogExport(environment: Environment, currentTrace: () => string | undefined): LogExport {
  const processor = new BatchLogRecordProcessor({
    exporter: createLogExporter(environment),
    // This processor reads no variables itself.
    scheduledDelayMillis: getNumberFromEnv('OTEL_BLRP_SCHEDULE_DELAY') ?? defaultDelayMs,
    maxQueueSize: getNumberFromEnv('OTEL_BLRP_MAX_QUEUE_SIZE') ?? defaultQueueSize,
    maxExportBatchSize: getNumberFromEnv('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE') ?? defaultBatchSize,
    exportTimeoutMillis: getNumberFromEnv('OTEL_BLRP_EXPORT_TIMEOUT') ?? defaultTimeoutMs,
  });
  const provider = new LoggerProvider({ resource: describeProcess(), processors: [processor] });
  const logger = provider.getLogger('rainbell-service', productVersion);
  return {
    write(line) {
      const { level, time, msg, pid: _pid, hostname: _host, name: _name, ...attributes } = JSON.parse(line) as Line;
      const [severityText, severityNumber] = severities[level] ?? ['INFO', SeverityNumber.INFO];
      const context = remoteContext(currentTrace() ?? '');
      logger.emit({ timestamp: time, severityNumber, severityText, body: msg, attributes, context });
    },
    close: () => provider.shutdown(),
  };
}

type Line = LogAttributes & { level: number; time: number; msg: string };

/** By pino's levels. */
const severities: Readonly<Record<number, readonly [string, SeverityNumber]>> = {
  10: ['TRACE', SeverityNumber.TRACE],
  20: ['DEBUG', SeverityNumber.DEBUG],
  30: ['INFO', SeverityNumber.INFO],
  40: ['WARN', SeverityNumber.WARN],
  50: ['ERROR', SeverityNumber.ERROR],
  60: ['FATAL', SeverityNumber.FATAL],
};
