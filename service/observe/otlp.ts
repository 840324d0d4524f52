// Exporters of the three signals over HTTP, as OpenTelemetry's variables configure them.
import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  type IExporterMetricsHelper,
  type ISerializer,
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  LogsExporterMetricsHelper,
  MetricsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { Logger } from 'pino';
import { systemCode } from '#shared/errors/system-code.ts';
import { productVersion } from '#shared/project.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Environment } from '#service/config/config.ts';
import { StartError } from '#service/errors/start-error.ts';
import type { Signal } from './signals.ts';

const warnEveryMs = 60_000;
/** A collector that is away must not delay the end for longer, unless a variable says so. */
const defaultTimeoutMs = 2_000;
const timeoutVariables = {
  traces: 'OTEL_BSP_EXPORT_TIMEOUT',
  metrics: 'OTEL_METRIC_EXPORT_TIMEOUT',
  logs: 'OTEL_BLRP_EXPORT_TIMEOUT',
} as const;

/** How long the service waits for the last export of a signal when it ends. */
export function exportTimeoutMs(signal: Signal): number {
  return getNumberFromEnv(timeoutVariables[signal]) ?? defaultTimeoutMs;
}

/** Logs failures of all exports of this process, at most once a minute. */
export function logExportFailures(log: Logger, clock: Clock): void {
  let warnedAt = -Infinity;
  setGlobalErrorHandler((error) => {
    if (clock.elapsed() < warnedAt + warnEveryMs) return;
    warnedAt = clock.elapsed();
    // No message: the URL of a collector may contain a password.
    log.warn({ code: systemCode(error) ?? 'unknown' }, 'telemetry could not be exported');
  });
}

/** What all signals say of their process: name, version, and what the variables add. */
export function describeProcess() {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'rainbell-service', 'service.version': productVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Returns whether to export to the console instead of a collector. Throws a StartError for another exporter. */
export function usesConsole(environment: Environment, signal: Exclude<Signal, 'logs'>): boolean {
  const exporter = exporterOf(environment, signal);
  if (exporter === 'otlp' || exporter === 'console') return exporter === 'console';
  throw new StartError('settings', `${exporterVariable(signal)} must be otlp, console, or none. It was "${exporter}".`);
}

/** @throws {StartError} for an unsupported protocol. */
export const createSpanExporter = (environment: Environment) =>
  createExporter(environment, 'traces', {
    json: JsonTraceSerializer,
    protobuf: ProtobufTraceSerializer,
    helper: TraceExporterMetricsHelper,
  });

/** @throws {StartError} for an unsupported protocol. */
export const createMetricExporter = (environment: Environment) =>
  createExporter(environment, 'metrics', {
    json: JsonMetricsSerializer,
    protobuf: ProtobufMetricsSerializer,
    helper: MetricsExporterMetricsHelper,
  });

/** @throws {StartError} for an unsupported exporter or protocol. */
export function createLogExporter(environment: Environment) {
  const exporter = exporterOf(environment, 'logs');
  if (exporter !== 'otlp') {
    throw new StartError('settings', `OTEL_LOGS_EXPORTER must be otlp or none. It was "${exporter}".`);
  }
  return createExporter(environment, 'logs', {
    json: JsonLogsSerializer,
    protobuf: ProtobufLogsSerializer,
    helper: LogsExporterMetricsHelper,
  });
}

type Format<Exported, Response> = {
  json: ISerializer<Exported, Response>;
  protobuf: ISerializer<Exported, Response>;
  helper: IExporterMetricsHelper<Exported>;
};

function createExporter<Exported, Response>(
  environment: Environment,
  signal: Signal,
  { json, protobuf, helper }: Format<Exported, Response>,
): OTLPExporterBase<Exported> {
  const name = signal.toUpperCase();
  const protocol =
    environment[`OTEL_EXPORTER_OTLP_${name}_PROTOCOL`] || environment['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol !== 'http/json' && protocol !== 'http/protobuf') {
    throw new StartError(
      'settings',
      `OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json. It was "${protocol}".`,
    );
  }
  const isJson = protocol === 'http/json';
  const headers = { 'Content-Type': isJson ? 'application/json' : 'application/x-protobuf' };
  const options = convertLegacyHttpOptions({}, name, `v1/${signal}`, headers);
  const component = `otlp_http_${helper.name}_exporter`;
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, isJson ? json : protobuf, component, helper, undefined),
  );
}

const exporterVariable = (signal: Signal) => `OTEL_${signal.toUpperCase()}_EXPORTER`;

function exporterOf(environment: Environment, signal: Signal): string {
  return environment[exporterVariable(signal)] || 'otlp';
}
