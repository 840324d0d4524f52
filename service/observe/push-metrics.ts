// Sends the values of /metrics to a collector by OTLP, as OpenTelemetry's variables configure it.
import { getNumberFromEnv, hrTime } from '@opentelemetry/core';
import { ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  ConsoleMetricExporter,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { productVersion } from '#shared/project.ts';
import type { Environment } from '#service/config/config.ts';
import type { PushMetrics, ReadMetrics } from './metrics.ts';
import { createMetricExporter, describeProcess, exportTimeoutMs, usesConsole } from './otlp.ts';

const defaultIntervalMs = 60_000;

/** Throws a StartError for an unsupported variable. */
export function createMetricPush(environment: Environment): PushMetrics {
  const exporter = usesConsole(environment, 'metrics')
    ? new ConsoleMetricExporter()
    : createMetricExporter(environment);
  return (read) => {
    const startTime = hrTime();
    const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? defaultIntervalMs;
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(exportTimeoutMs('metrics'), exportIntervalMillis),
      metricProducers: [
        {
          async collect() {
            const times = { startTime, endTime: hrTime() };
            const metrics = (await read()).flatMap((metric) => convert(metric, times));
            const scope = { name: 'rainbell-service', version: productVersion };
            return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
          },
        },
      ],
    });
    const resource = describeProcess();
    const provider = new MeterProvider({ resource, readers: [reader] });
    return { close: () => provider.shutdown() };
  };
}

type Metric = Awaited<ReturnType<ReadMetrics>>[number];
type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

/** Returns nothing for a metric without values. */
function convert(metric: Metric, times: Times): MetricData[] {
  // prom-client's types declare a number, but it is a string.
  const type = String(metric.type);
  const descriptor = { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE };
  const shared = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (metric.values.length === 0) return [];
  if (type === 'histogram') {
    return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, times) }];
  }
  const dataPoints = metric.values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  if (type === 'counter') return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
  return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints }];
}

/** One for each combination of labels, with counts of their own for each bucket; Prometheus adds them up. */
function histogramPoints({ name, values }: Metric, times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values as NamedValue[], ({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return [...series].map(([labels, samples]) => {
    const buckets = samples.filter(({ metricName }) => metricName === `${name}_bucket`);
    const valueOf = (suffix: string) => samples.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
    const boundaries = buckets.flatMap(({ labels: { le } }) => (le === '+Inf' ? [] : [Number(le)]));
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    return {
      ...times,
      attributes: JSON.parse(labels) as Record<string, string>,
      value: { buckets: { boundaries, counts }, sum: valueOf('_sum'), count: valueOf('_count') },
    };
  });
}

type NamedValue = MetricObjectWithValues<MetricValue<string>>['values'][number] & {
  metricName: string;
  labels: Record<string, string | number>;
};
