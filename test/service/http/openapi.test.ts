// GET /v2/openapi.json of a whole service: generated from the routes, and true to what they return.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { configWith } from '#service/config/config.ts';
import { createService, type Service } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { collectOperations, type Operation } from '#service/http/operation.ts';
import { systemClock } from '#shared/time/clock.ts';
import { apiCaller, fetchToken, turin } from '#test/service/monitor-service.ts';

type Example = { schema: object; example?: unknown };
type Documented = {
  operationId: string;
  security: object[];
  parameters: ({ name: string; in: string } & Example)[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
type Paths = Record<string, Record<string, Documented>>;
type Document = { components: object; paths: Paths; webhooks: Paths };

const operation: Operation = {
  id: 'get-thing',
  group: 'Service',
  title: 'Get a thing',
  description: 'One thing.',
  responses: [{ status: 200, meaning: 'The thing.' }],
  access: 'none',
};

describe('collectOperations', () => {
  it('refuses a route without an operation', () => {
    const server = Fastify();
    collectOperations(server);
    expect(() => server.get('/v2/things/', async () => [])).toThrow('GET /v2/things/ declares no operation');
  });

  it('refuses path parameters that do not match the path', () => {
    const server = Fastify();
    collectOperations(server);
    expect(() => server.get('/v2/things/:id/', { config: { operation } }, async () => ({}))).toThrow(
      'get-thing () do not match its path /v2/things/:id/',
    );
  });
});

describe('the OpenAPI document', () => {
  let service: Service;
  let call: ReturnType<typeof apiCaller>;
  let document: Document;

  beforeAll(async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-openapi-'));
    service = await createService({
      config: configWith({ port: 0, dataFolder, provider: 'simulation' }),
      clock: systemClock,
      log: pino({ level: 'silent' }),
      workers: { places: new URL('../../../service/places/places-worker.ts', import.meta.url) },
    });
    const introduction = introductionOf(service);
    call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
    document = (await call('GET', '/v2/openapi.json')).json as Document;
    return async () => {
      await service.close();
      await rm(dataFolder, { recursive: true });
    };
  });

  it('has each operation once, of the API, the sandbox, and webhooks', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(42);
    const parts = new Set(Object.keys(document.paths).map((path) => path.split('/')[1]));
    expect(parts).toEqual(new Set(['.well-known', 'in', 'sandbox', 'token', 'v2']));
  });

  it('says which operations need no token, and which accept one of a user', () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const idsOf = (...schemes: object[]) =>
      all
        .filter(({ security }) => JSON.stringify(security) === JSON.stringify(schemes))
        .map(({ operationId }) => operationId)
        .toSorted();
    const [own, user] = [{ applicationToken: [] }, { userToken: [] }];
    const open = ['get-icon', 'get-metadata', 'get-openapi', 'get-webhook-keys', 'receive-webhook'];
    expect(idsOf()).toEqual(open);
    const shared = ['get-backtest', 'get-nowcast', 'get-report', 'get-weather', 'list-reports'];
    expect(idsOf(own, user)).toEqual(shared);
    expect(idsOf({ userToken: ['post_metag'] })).toEqual(['post-report']);
    expect(idsOf({ basic: [] }, {})).toEqual(['get-token', 'revoke-token']);
    expect(idsOf(own)).toHaveLength(all.length - open.length - shared.length - 3);
  });

  it('has the errors that each kind of request can have', () => {
    const statusesOf = (path: string) => Object.keys(document.paths[path]?.['get']?.responses ?? {});
    expect(statusesOf('/v2/delivery/')).toEqual(['200', '401', '403', '429', '503', 'default']);
    expect(statusesOf('/v2/monitors/{monitor_id}/')).toEqual([
      '200',
      '304',
      '401',
      '403',
      '404',
      '429',
      '503',
      'default',
    ]);
  });

  it('is valid OpenAPI 3.1', async () => {
    // A copy, because the validator changes the document.
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result).toEqual({ valid: true });
  });

  it('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const examples = [document.paths, document.webhooks].flatMap((paths) =>
      Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId, parameters, requestBody }) =>
          [...parameters, ...Object.values(requestBody?.content ?? {})].flatMap(({ schema, example }) =>
            example === undefined ? [] : [{ operationId, schema, example }],
          ),
        ),
      ),
    );
    expect(examples.length).toBeGreaterThan(30);
    const problems = examples.flatMap(({ operationId, schema, example }) => {
      const validate = ajv.compile({ ...schema, components: document.components });
      return validate(example) ? [] : [{ operationId, example, errors: validate.errors }];
    });
    expect(problems).toEqual([]);
  });

  it('describes what GET requests return', async () => {
    const monitor = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/rain', geo: turin };
    const { id } = (await call('POST', '/v2/monitors/', monitor)).json as { id: string };
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const checked: string[] = [];
    for (const [template, { get }] of Object.entries(document.paths)) {
      const schema = get?.responses['200']?.content?.['application/json']?.schema;
      if (!get || !schema) continue;
      const query = get.parameters
        .filter((one) => one.in === 'query')
        .map(({ name, example }) => `${name}=${String(example)}`);
      const path = template.replace('{monitor_id}', id);
      // A report needs a user; test/service/metags/metags.test.ts reads one.
      if (path.includes('{')) continue;
      const { json, status } = await call('GET', query.length > 0 ? `${path}?${query.join('&')}` : path);
      const validate = ajv.compile({ ...schema, components: document.components });
      const problems = validate(json) ? [] : validate.errors;
      expect({ path, status, problems }).toEqual({ path, status: 200, problems: [] });
      checked.push(get.operationId);
    }
    expect(checked).toContain('explain-monitor');
    expect(checked).toHaveLength(18);
  });
});
