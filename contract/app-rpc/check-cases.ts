// The cases of the endpoint check (docs/endpoint-check.md). Without zod, because the screens import these values.

/** In the order in which they run; a handler may not survive the last. Reports and `--only` use these names, so they never change. */
export const checkCaseIds = [
  'same-id-twice',
  'out-of-order',
  'wrong-signature',
  'missing-signature',
  'old-signature',
  'rotated-secret',
  'slow',
  'gone',
  'retry',
  'unknown-field',
  'interim-responses',
  'one-megabyte',
] as const;
export type CheckCaseId = (typeof checkCaseIds)[number];

export const checkCaseTitles: Readonly<Record<CheckCaseId, string>> = {
  'same-id-twice': 'Same ID twice',
  'out-of-order': 'Events out of order',
  'wrong-signature': 'Wrong signature',
  'missing-signature': 'Missing signature',
  'old-signature': 'Old signature',
  'rotated-secret': 'Rotated secret',
  slow: 'Slow body',
  gone: 'Unknown monitor and 410',
  'one-megabyte': '1 MB body',
  retry: 'Retry after a failed attempt',
  'unknown-field': 'Unknown fields',
  'interim-responses': 'Interim responses',
};
