// Calls the API with the token that the call requires (docs/interface.md §5.1, §5.7). A 401 causes one refresh and one retry, never
// a loop.
import type { z } from 'zod';
import { formatSchemaError } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import { statusFailure } from '../http/status-failure.ts';
import type { HttpResponse, HttpRequest, HttpSender } from '../http/http-sender.ts';
import { hostOf } from '../http/http-headers.ts';
import { limitFor } from '../http/response-limits.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { monitorsNeedApplication, type TokenChoice } from './token-choice.ts';

export type ApiCall = Pick<HttpRequest, 'method' | 'signal' | 'isBackground' | 'logged' | 'waitMs'> & {
  /** Path and query below the base URL, for instance `/v2/monitors/`. */
  path: string;
  json?: unknown;
};

export type ApiClient = ReturnType<typeof createApiClient>;

type ApiClientDependencies = { http: HttpSender; choice: TokenChoice; baseUrl: string };

export function createApiClient({ http, choice, baseUrl }: ApiClientDependencies) {
  function send({ path, json, ...request }: ApiCall, token: string): Promise<HttpResponse> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    return http.send({
      ...request,
      url: `${baseUrl}${path}`,
      headers: [
        ['authorization', `Bearer ${token}`],
        ['accept', 'application/json'],
        ['accept-encoding', 'gzip, br'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ],
      ...(body === undefined ? {} : { body }),
      limit: limitFor(path),
    });
  }

  async function sendWith(manager: TokenManager, call: ApiCall): Promise<HttpResponse> {
    const token = await manager.token();
    const response = await send(call, token);
    return response.status === 401 ? send(call, await manager.tokenInsteadOf(token)) : response;
  }

  async function sendAsApplication(call: ApiCall): Promise<HttpResponse> {
    try {
      return await sendWith(choice.application(), call);
    } catch (error) {
      if (error instanceof AppFailure && error.code === 'UNAUTHORIZED_CLIENT') throw monitorsNeedApplication(error);
      throw error;
    }
  }

  return {
    /** Resolves for 2xx only; throws AppFailure otherwise, with `details.needs` where another token would help. */
    async call(call: ApiCall): Promise<HttpResponse> {
      const response = isWeather(call)
        ? await choice.withAnyToken((manager) => sendWith(manager, call))
        : await sendAsApplication(call);
      const failure = statusFailure(response);
      if (!failure) return response;
      throw failure;
    },
  };
}

function isWeather({ path }: ApiCall): boolean {
  return ['/v2/weather/', '/v2/nowcast/', '/v2/backtest/'].some((start) => path.startsWith(start));
}

/** Returns the body as JSON of this form. `what`: what the service returned if it has another one; throws AppFailure PROTOCOL then. */
export async function readAs<Schema extends z.ZodType>(
  response: HttpResponse,
  schema: Schema,
  what: string,
): Promise<z.infer<Schema>> {
  const { value } = await response.json();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problem = formatSchemaError(result.error.issues[0], value, 'the response');
  throw new AppFailure('PROTOCOL', `${hostOf(response.request.url)} returned ${what}: ${problem}.`, {
    httpStatus: response.status,
    trafficId: response.trafficId,
  });
}

/** Whether the service has no such address, and so no such extension. */
export function isUnknownAddress(error: unknown): boolean {
  return error instanceof AppFailure && [404, 405, 501].some((status) => status === error.details.httpStatus);
}
