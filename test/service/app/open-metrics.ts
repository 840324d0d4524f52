// Reads OpenMetrics with an independent parser.
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { noteMissing } from '#test/setup/missing.ts';

/** Python's reference implementation of OpenMetrics (Debian's python3-prometheus-client). JSON has no NaN, which is the
 * mean lag since a scrape of the same moment. */
const readSamples = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = list(text_string_to_metric_families(sys.stdin.read()))
samples = [s for f in families for s in f.samples if s.value == s.value]
print(json.dumps([[s.name, s.labels, s.value] for s in samples]))
`;
const python = '/usr/bin/python3';
/** Why there is no parser here; undefined if there is. */
export const missingParser =
  spawnSync(python, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0
    ? undefined
    : noteMissing('python3-prometheus-client');

type Sample = [name: string, labels: Record<string, string>, value: number];

export type Scrape = (name: string, labels?: Record<string, string>) => number;

/** The sum of the samples of that name which have these labels. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const parsed = spawnSync(python, ['-c', readSamples], { input: await response.text(), encoding: 'utf8' });
  expect(parsed.stderr).toBe('');
  const samples = JSON.parse(parsed.stdout) as Sample[];
  return (name, labels = {}) =>
    samples
      .filter(([own, its]) => own === name && Object.entries(labels).every(([key, value]) => its[key] === value))
      .reduce((sum, [, , value]) => sum + value, 0);
}
