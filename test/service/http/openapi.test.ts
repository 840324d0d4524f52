// GET /v2/openapi.json of a whole service, generated from the routes. That responses are as it describes them is checked in all tests
// (test/setup/validate-responses.ts).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { configWith } from '#service/config/config.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { systemClock } from '#shared/time/clock.ts';

type Example = { schema: object; example?: unknown };
type Documented = {
  operationId: string;
  security: object[];
  parameters: ({ name: string; in: string } & Example)[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, object>;
};
type Paths = Record<string, Record<string, Documented>>;
type Document = { components: object; paths: Paths; webhooks: Paths };

describe('the OpenAPI document', () => {
  let document: Document;

  beforeAll(async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'rainbell-openapi-'));
    const service = await createService({
      config: configWith({ port: 0, dataFolder, provider: 'simulation' }),
      clock: systemClock,
      log: pino({ level: 'silent' }),
      workers: { places: new URL('../../../service/places/places-worker.ts', import.meta.url) },
    });
    const response = await fetch(`${introductionOf(service).baseUrl}/v2/openapi.json`);
    document = (await response.json()) as Document;
    await service.close();
    await rm(dataFolder, { recursive: true });
  });

  it('has each operation once, of the API, the sandbox, and webhooks', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(41);
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
    expect(statusesOf('/v2/delivery/').join()).toBe('200,401,403,429,503,default');
    expect(statusesOf('/v2/monitors/{monitor_id}/').join()).toBe('200,304,401,403,404,429,503,default');
  });

  it('names the parameters of a query as the service reads them', () => {
    const names = document.paths['/v2/deliveries/']?.['get']?.parameters.map(({ name }) => name);
    expect(names).toEqual(['after', 'wait', 'limit']);
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
});
