// The areas whose score docs/testing.md shows: their sources, and the tests that are to notice a fault in them.
export type Area = {
  name: string;
  sources: readonly string[];
  tests: readonly string[];
  /** Whether its tests run what `npm run build` makes. */
  isBuilt?: boolean;
  /** Only the sources that a test imports itself. */
  isDirect?: boolean;
};

export const areas: readonly Area[] = [
  {
    name: 'service/oauth',
    sources: ['service/oauth/**/*.ts', '!service/oauth/{migrations,tables}.ts'],
    tests: ['test/service/oauth/*.test.ts'],
  },
  {
    name: 'service/monitors/delivery',
    sources: ['service/monitors/delivery/*.ts', '!service/monitors/delivery/tables.ts'],
    tests: [
      'test/service/monitors/delivery/{dead-endpoints,delivery-log,delivery-requests,delivery-retries,delivery-shutdown}.test.ts',
      'test/service/monitors/delivery/{endpoint-incidents,exchange,gate,host-breaker,host-queues,retry-plan,callback-guard}.test.ts',
      'test/service/monitors/delivery/{callback-transport,foreign-clients,guarded-callbacks,feed,name-lookup}.test.ts',
      'test/service/monitors/delivery/*/*.test.ts',
      'test/service/secrets/webhook-secrets.test.ts',
      'test/service/{app/{observed,shutdown},database/{chores,housekeeping}}.test.ts',
      'test/service/monitors/monitors-api.test.ts',
      'test/service/monitors/sweep/{clock-jumps,notices}.test.ts',
    ],
  },
  {
    name: 'service/monitors/sweep',
    sources: ['service/monitors/sweep/*.ts'],
    tests: [
      'test/service/monitors/sweep/{area,clock-jumps,explanation-rules,monitor-explanation,policy,slow-weather,sweep-decision}.test.ts',
      'test/service/monitors/sweep/{failing-start,sweeps,watched-cells,wide-front}.test.ts',
      'test/service/monitors/sweep/*/*.test.ts',
      'test/service/monitors/delivery/{gate,delivery-requests}.test.ts',
      'test/service/app/{roles,observed}.test.ts',
      'test/service/monitors/monitors-api.test.ts',
      'test/service/sandbox/movable-clock.test.ts',
      'test/service/weather/watched-weather.test.ts',
    ],
  },
  {
    name: 'service/monitors',
    sources: ['service/monitors/*.ts', '!service/monitors/tables.ts'],
    tests: [
      'test/service/monitors/delivery/{callback-guard,delivery-log,feed,guarded-callbacks,endpoint-incidents}.test.ts',
      'test/service/monitors/sweep/monitor-explanation.test.ts',
      'test/service/{monitors/{monitor-body,monitor-store,monitors-api},limits/admission,http/{late-routes,methods,openapi}}.test.ts',
      'test/service/database/query-plans.test.ts',
      'test/service/sandbox/sandbox-account.test.ts',
      'test/service/app/team.test.ts',
      'test/service/website/account-limits.test.ts',
    ],
  },
  { name: 'service/weather', sources: ['service/weather/**/*.ts'], tests: ['test/service/weather/**/*.test.ts'] },
  {
    name: 'core/connection',
    sources: ['core/connection/**/*.ts'],
    tests: [
      'test/core/connection/{connect-steps,http-sender,refresh-ahead,service-message,token-manager}.test.ts',
      'test/core/connection/oversized-responses.test.ts',
      'test/core/app/procedures.test.ts',
      'test/core/{backup,settings}/*.test.ts',
      'test/core/receiver/held-requests.test.ts',
      'test/core/{session,tokens,traffic,connection}/*.test.ts',
    ],
  },
  {
    name: 'core/receiver',
    sources: ['core/receiver/**/*.ts'],
    tests: [
      'test/core/receiver/{body-files,group-commit,outcome-queue,receiver-*,receiver,retention}.test.ts',
      'test/core/receiver/*/*.test.ts',
      'test/core/receiver/{request-heads,response-rules,callback-checks,decode-body,signature-check}.test.ts',
      'test/core/monitors/{front-of-412,fronts}.test.ts',
      'test/core/app/{live-list,procedures}.test.ts',
      'test/core/{callbacks,signatures}/*.test.ts',
    ],
  },
  {
    name: 'core/callbacks',
    sources: ['core/callbacks/**/*.ts'],
    tests: [
      'test/core/receiver/{callback-checks,outcomes,retention,signature-check,response-rules}.test.ts',
      'test/core/app/{live-list,notices,notifications,procedures}.test.ts',
      'test/core/{callbacks,signatures}/*.test.ts',
    ],
  },
  {
    name: 'core/monitors',
    sources: ['core/monitors/**/*.ts'],
    tests: [
      'test/core/monitors/*.test.ts',
      'test/core/app/{consents,procedures}.test.ts',
      'test/core/receiver/outcomes.test.ts',
    ],
  },
  { name: 'electron', sources: ['electron/**/*.ts'], tests: ['test/electron/**/*.test.ts'], isBuilt: true },
  {
    // What tests without a browser import: a browser's bundle has no mutants.
    name: 'renderer (logic)',
    sources: ['renderer/**/*.ts', '!renderer/**/*-slice.ts', '!renderer/app/**'],
    isDirect: true,
    tests: [
      'test/renderer/all-screens/busy-buttons.test.ts',
      'test/renderer/ui/{computer-zone,durations,typed-words,units}.test.ts',
      'test/renderer/forecast/{forecast-calendar,forecast-summary,forecast-values,hour-history,smooth-path}.test.ts',
      'test/renderer/forecast/{axis-ticks,contract-check,export-formats,feels-like,nights,precipitation-runs}.test.ts',
      'test/renderer/forecast/{timed-points,timeline-keys,timeline-layout,timeline-logic}.test.ts',
      'test/renderer/monitors/{bulk-tasks,delivery-status,import-plan,monitor-form,monitor-query,monitor-rows}.test.ts',
      'test/renderer/monitors/typed-monitor-details.test.ts',
      'test/renderer/callbacks/{callback-log,copied-request,json-viewers,old-url,viewer-tasks}.test.ts',
      'test/renderer/shell/{one-at-a-time,palette-items,palette-search,settings-order}.test.ts',
    ],
  },
];
