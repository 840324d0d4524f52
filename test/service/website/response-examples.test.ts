// The responses that the documentation shows are of the form that the service returns.
import { expect, it } from 'vitest';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { createMonitor, getMonitor, listMonitors, replaceMonitor } from '#service/monitors/monitor-routes.ts';
import { getToken } from '#service/oauth/token-routes.ts';
import { responseExamples } from '#service/website/pages/response-examples.ts';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { weatherPointSchema } from '#contract/service-api/weather.ts';

const schemas = Object.fromEntries(
  [createMonitor, getMonitor, listMonitors, replaceMonitor, getToken].map(({ id, responses }) => [
    id,
    responses[0]?.schema,
  ]),
);

it.each(Object.entries(responseExamples))('the example of %s fits its schema', (id, example) => {
  const schema = id === 'get-weather' ? collectionSchema(weatherPointSchema) : schemas[id];
  expect(schema?.safeParse(JSON.parse(example))).toMatchObject({ success: true });
});

it('shows an icon that the service has', () => {
  const { objects } = JSON.parse(responseExamples['get-weather'] ?? '') as { objects: { icon: string }[] };
  expect(iconNames).toContain(objects[0]?.icon.split('/').at(-1));
});
