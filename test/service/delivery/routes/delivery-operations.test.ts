// What openapi.json says about the routes of delivery: parameters, bodies, responses, and required tokens.
import { describe, expect, it } from 'vitest';
import * as deliveryOperations from '#service/monitors/delivery/delivery-operations.ts';
import { readFeed } from '#service/monitors/feed/feed-routes.ts';

const operations = { ...deliveryOperations, readFeed };
const { listDeliveryStates, turnOnDelivery, getWebhookKeys } = operations;
const { listDeliveries, explainMonitor, resendEvent, sendTestEvent, getDeliveryState } = operations;
type Operation = typeof readFeed;

const parameterNames = ({ parameters = [] }: Operation) => parameters.map((one) => `${one.in} ${one.name}`);
const onMonitor = ['path monitor_id'];

describe('the operations of delivery', () => {
  it.each([
    ['list-delivery-states', listDeliveryStates, [], 200],
    ['list-deliveries', listDeliveries, onMonitor, 200],
    ['get-delivery-state', getDeliveryState, onMonitor, 200],
    ['explain-monitor', explainMonitor, onMonitor, 200],
    ['turn-on-delivery', turnOnDelivery, onMonitor, 200],
    ['resend-event', resendEvent, [...onMonitor, 'path event_id'], 202],
    ['send-test-event', sendTestEvent, onMonitor, 202],
    ['read-feed', readFeed, ['query after', 'query wait', 'query limit'], 200],
  ] as const)('%s needs a token of an application', (id, operation, names, status) => {
    expect(operation).toMatchObject({ id, group: 'Delivery', access: 'application', isTriable: true });
    expect(parameterNames(operation)).toEqual(names);
    expect(operation.responses.map((one) => one.status)).toEqual([status]);
    expect(operation.responses[0]?.schema).toBeDefined();
  });

  it('the public keys need none', () => {
    expect(getWebhookKeys).toMatchObject({ id: 'get-webhook-keys', group: 'Delivery', access: 'none' });
    expect([getWebhookKeys.parameters, getWebhookKeys.isTriable]).toEqual([undefined, undefined]);
    expect(getWebhookKeys.responses[0]?.schema?.safeParse({ keys: [] }).success).toBe(true);
  });

  it('only a resend can conflict', () => {
    const conflicting = Object.values<Operation>(operations).filter(({ conflicts }) => conflicts === true);
    expect(conflicting).toEqual([resendEvent]);
  });

  it('have examples that their schemas accept', () => {
    const examples = Object.values<Operation>(operations).flatMap(({ parameters = [], body }) => [
      ...parameters.map(({ name, schema, example }) => ({ name, example, isValid: schema.safeParse(example).success })),
      ...(body
        ? [{ name: '', example: body.example, isValid: body.schema.safeParse(JSON.parse(body.example)).success }]
        : []),
    ]);
    expect(examples).toHaveLength(12);
    expect(examples.filter(({ example, isValid }) => !isValid || example === '')).toEqual([]);
  });
});

describe('the parameters of the feed', () => {
  it.each([
    ['after', undefined, true],
    ['after', 'now', true],
    ['after', 7, false],
    ['wait', undefined, true],
    ['wait', 0, true],
    ['wait', 55, true],
    ['wait', -1, false],
    ['wait', 56, false],
    ['wait', 1.5, false],
    ['limit', undefined, true],
    ['limit', 1, true],
    ['limit', 500, true],
    ['limit', 0, false],
    ['limit', 501, false],
  ])('%s may be %s: %s', (name, value, isAccepted) => {
    const parameter = readFeed.parameters?.find((one) => one.name === name);
    expect(parameter?.schema.safeParse(value).success).toBe(isAccepted);
  });
});

it('turning on delivery takes JSON with only is_on', () => {
  const { type, schema } = turnOnDelivery.body!;
  expect(type).toBe('application/json');
  const accepted = [{ is_on: true }, { is_on: false }, {}, { is_on: true, also: 1 }].map(
    (body) => schema.safeParse(body).success,
  );
  expect(accepted).toEqual([true, false, false, false]);
});
