// The members for other events (docs/events.md) in exported and imported files.
import { describe, expect, it } from 'vitest';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { monitorsAsCsv, monitorsAsJson } from '#contract/monitor-files/export-monitors.ts';
import { planImport } from '#contract/monitor-files/import-plan.ts';
import { monitorOf } from '#test/renderer/monitors/monitor-samples.ts';

const monitor = monitorOf('precipitation_1', { callbackUri: 'https://example.net/rain' });
const options: AppMonitor['options'] = {
  payload: 'slack',
  events: ['precipitation.started', 'precipitation.ended'],
  conditions: { min_precipitation_rate: 0.5 },
};
const draftsOf = (text: string, existing: AppMonitor[] = []) =>
  planImport(text, { existing, monitorLimit: null }).map((row) =>
    row.kind === 'create' ? row.draft.options : row.message,
  );

describe('a monitor with other events', () => {
  it.each([
    ['CSV', monitorsAsCsv],
    ['JSON', monitorsAsJson],
  ])('is imported from %s as it was exported', (_name, write) => {
    const text = write([{ ...monitor, options }, monitor]);
    expect(draftsOf(text)).toEqual([options, undefined]);
    expect(draftsOf(text, [monitor])).toEqual([options, expect.stringContaining('Already exists') as string]);
  });

  it('leaves the export of others as it was', () => {
    expect(monitorsAsCsv([monitor]).split('\r\n')[0]).toBe('id,name,lat,lng,callback_uri,tags,note');
    expect(monitorsAsJson([monitor])).not.toContain('payload');
  });

  it('is not imported if its members don’t fit together', () => {
    const entry = { geo: { lat: 1, lng: 2 }, callback_uri: 'https://example.net/', events: ['precipitation.ended'] };
    expect(draftsOf(JSON.stringify([entry]))).toEqual([
      'events needs payload "event", "slack", "discord", or "teams".',
    ]);
    const csv = 'lat,lng,callback_uri,options\n1,2,https://example.net/,"{""payload"":""sms""}"';
    expect(draftsOf(csv)).toEqual(['options must be JSON with payload, events, and conditions.']);
  });
});
