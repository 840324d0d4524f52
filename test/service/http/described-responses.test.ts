// The check that holds every response of the suite against openapi.json (test/setup).
import { expect, it } from 'vitest';
import { getMonitor } from '#service/monitors/monitor-routes.ts';
import { findProblem } from '#test/setup/described-responses.ts';

const monitor = {
  uri: '/v2/monitors/precipitation_1/',
  geo: { type: 'Point', coordinates: [7.69, 45.07] },
  id: 'precipitation_1',
  callback_uri: 'http://127.0.0.1:9/',
  monitor_type: 'precipitation',
};
const refusal = { error: 'not_found', error_description: 'No.' };
const problemOf = (
  status: number,
  body: unknown,
  type = 'application/json; charset=utf-8',
  fields: string[] = ['content-type'],
) => {
  const payload = body === '' ? '' : JSON.stringify(body);
  return findProblem({ operation: getMonitor, status, type, encoding: '', fields, payload });
};
const json = 'application/json';

it.each([
  [200, monitor, ['ratelimit', 'ratelimit-policy']],
  [304, '', ['ratelimit', 'ratelimit-policy']],
  [404, refusal, ['ratelimit', 'ratelimit-policy']],
  [421, refusal, []],
  [429, refusal, ['ratelimit', 'ratelimit-policy', 'retry-after']],
  [503, refusal, ['ratelimit', 'ratelimit-policy', 'retry-after']],
])('accepts a described response %i, with its limits of the plan', (status, body, fields) => {
  expect(problemOf(status, body, json, fields)).toBeUndefined();
});

it.each([
  ['a member of another type', problemOf(200, { ...monitor, id: 7 }), '/id'],
  ['a place of one number', problemOf(200, { ...monitor, geo: { type: 'Point', coordinates: [7.69] } }), 'coordinates'],
  ['another status', problemOf(202, monitor), 'the status is not documented'],
  ['another type', problemOf(200, monitor, 'text/plain'), 'the type text/plain is not documented'],
  ['a body where there is none', problemOf(304, monitor), 'a body is not documented'],
  ['an undocumented field', problemOf(200, monitor, json, ['retry-after']), 'the field retry-after is not documented'],
  ['limits without a token', problemOf(401, refusal, json, ['ratelimit']), 'the field ratelimit is not documented'],
  ['an error without a code', problemOf(404, { message: 'No.' }), 'required'],
])('refuses %s', (_name, problem, words) => {
  expect(problem).toContain(words);
});
