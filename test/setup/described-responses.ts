// Whether a response is as openapi.json describes it.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation, OperationMethod } from '#service/http/operation.ts';
import { brokenBody } from '#service/weather/weather-faults.ts';
import { openApiDocument } from '#service/website/openapi/openapi-document.ts';
import type { ServiceResponse } from './service-responses.ts';

type Content = Record<string, { schema: object }>;
type Responses = Record<string, { content?: Content; headers?: object }>;

/** Response fields for clients' programs: each must be documented where it is sent. */
const documentedFields = ['ratelimit', 'ratelimit-policy', 'retry-after'];

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const responsesById = new Map<string, { responses: Responses; schemas: object }>();
const validators = new Map<string, ValidateFunction>();

function describe(operation: Operation) {
  const known = responsesById.get(operation.id);
  if (known) return known;
  const method: OperationMethod = 'get';
  const { paths, components } = openApiDocument('http://service', [{ ...operation, method, path: '/' }]);
  const documented = paths['/']?.[method] as { responses: Responses } | undefined;
  if (!documented) throw new Error(`${operation.id} is not in the document.`);
  const described = { responses: documented.responses, schemas: components.schemas };
  responsesById.set(operation.id, described);
  return described;
}

/** Returns what is wrong with a response, or undefined. */
export function findProblem(response: ServiceResponse): string | undefined {
  const problem = problemOf(response);
  return problem === undefined ? undefined : `${response.operation.id}, ${response.status}: ${problem}`;
}

function problemOf({ operation, status, type, encoding, fields, payload }: ServiceResponse): string | undefined {
  const { responses, schemas } = describe(operation);
  const response = responses[status] ?? (status >= 400 ? responses['default'] : undefined);
  if (!response) return 'the status is not documented';
  const described = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const other = fields.find((name) => documentedFields.includes(name) && !described.includes(name));
  if (other !== undefined) return `the field ${other} is not documented`;
  const body = textOf(payload, encoding);
  if (response.content === undefined) return body === '' ? undefined : 'a body is not documented';
  const [media = ''] = type.split(';');
  const schema = response.content[media]?.schema;
  if (!schema) return `the type ${type} is not documented`;
  if (media !== 'application/json' || body === brokenBody) return undefined;
  const key = `${operation.id} ${status}`;
  const validate = validators.get(key) ?? ajv.compile({ ...schema, components: { schemas } });
  validators.set(key, validate);
  return validate(JSON.parse(body)) ? undefined : JSON.stringify(validate.errors);
}

function textOf(payload: unknown, encoding: string): string {
  if (!(payload instanceof Uint8Array)) return typeof payload === 'string' ? payload : '';
  const plain = encoding === 'br' ? brotliDecompressSync(payload) : encoding === 'gzip' ? gunzipSync(payload) : payload;
  return Buffer.from(plain).toString('utf8');
}
