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
    tests: ['test/oauth/*.test.ts'],
  },
  {
    name: 'service/delivery',
    sources: ['service/delivery/**/*.ts', '!service/delivery/schema/{migrations,tables}.ts'],
    tests: [
      'test/service/{delivery-*,retry-plan,gate,exchange,host-breaker,dead-endpoints,endpoint-incidents}.test.ts',
      'test/service/{callback-*,guarded-callbacks,foreign-clients,housekeeping,monitors-api,observed,chores}.test.ts',
      'test/service/{clock-jumps,shutdown,feed,notices}.test.ts',
    ],
  },
  {
    name: 'service/watch',
    sources: ['service/watch/**/*.ts', '!service/watch/{migrations,tables}.ts'],
    tests: [
      'test/service/{area,sweep-decision,slow-weather,wide-front,gate,roles,monitor-explanation,clock-jumps}.test.ts',
      'test/service/{monitors-api,observed,delivery-requests,movable-clock}.test.ts',
      'test/weather/watched-weather.test.ts',
    ],
  },
  {
    name: 'service/monitors',
    sources: ['service/monitors/**/*.ts', '!service/monitors/{migrations,tables}.ts'],
    tests: [
      'test/service/{monitors-api,monitor-explanation,callback-guard,guarded-callbacks,delivery-log,feed}.test.ts',
      'test/service/{openapi,methods,admission,late-routes,team,sandbox-account,query-plans}.test.ts',
      'test/service/endpoint-incidents.test.ts',
      'test/website/account-limits.test.ts',
    ],
  },
  { name: 'service/weather', sources: ['service/weather/**/*.ts'], tests: ['test/weather/*.test.ts'] },
  {
    name: 'core/connection',
    sources: ['core/connection/**/*.ts'],
    tests: [
      'test/core/{connect-steps,refresh-ahead,http-sender,token-manager,procedures,service-message}.test.ts',
      'test/core/{oversized-responses,held-requests,settings-file,newer-settings,backup}.test.ts',
      'test/core/access/*.test.ts',
    ],
  },
  {
    name: 'core/receiver',
    sources: ['core/receiver/**/*.ts'],
    tests: [
      'test/core/{receiver*,response-rules,request-heads,body-segments,group-commit,fronts,front-of-412}.test.ts',
      'test/core/{decode-body,signature-check,callback-checks,live-list,procedures}.test.ts',
      'test/core/{callbacks,signatures}/*.test.ts',
    ],
  },
  {
    name: 'core/callbacks',
    sources: ['core/callbacks/**/*.ts'],
    tests: [
      'test/core/{callback-checks,live-list,retention,outcomes,notifications,notices,signature-check}.test.ts',
      'test/core/{procedures,bulk-speed,response-rules}.test.ts',
      'test/core/{callbacks,signatures}/*.test.ts',
    ],
  },
  {
    name: 'core/monitors',
    sources: ['core/monitors/**/*.ts'],
    tests: ['test/core/{monitor-*,monitors-*,fronts,front-of-412,procedures,consents,outcomes,bulk-speed}.test.ts'],
  },
  { name: 'electron', sources: ['electron/**/*.ts'], tests: ['test/electron/*.test.ts'], isBuilt: true },
  {
    // What tests without a browser import: a browser's bundle has no mutants.
    name: 'renderer (logic)',
    sources: ['renderer/**/*.ts', '!renderer/**/*-slice.ts', '!renderer/app/**'],
    isDirect: true,
    tests: [
      'test/renderer/{busy-buttons,computer-zone,forecast-calendar,forecast-summary}.test.ts',
      'test/renderer/{forecast-values,hour-history,import-plan,monitor-query,old-url,one-at-a-time}.test.ts',
      'test/renderer/{palette-search,settings-order,smooth-path,timeline-logic,typed-monitor-details,typed-words}.test.ts',
      'test/renderer/{units,viewer-tasks}.test.ts',
    ],
  },
];
