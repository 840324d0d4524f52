// What OpenTelemetry's standard variables turn on, without the libraries that export it, which are loaded only then.
import type { Environment } from '#service/config/config.ts';

export type Signal = 'traces' | 'metrics' | 'logs';

/** Whether the variables enable the signal: its exporter, or an endpoint for it or for all. */
export function wantsSignal(environment: Environment, signal: Signal): boolean {
  const name = signal.toUpperCase();
  const exporter = environment[`OTEL_${name}_EXPORTER`] ?? '';
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none') return false;
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  return exporter !== '' || endpoints.some((endpoint) => (environment[endpoint] ?? '') !== '');
}
