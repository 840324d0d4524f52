// Calls of the API with the connection's token (§5.1). A 401 leads to one renewal and one retry, never to a loop.
import { AppFailure } from '../app-failure.ts';
import { answerFailure } from './answer-failure.ts';
import { headerOf, hostOf, type HttpExchange, type HttpRequest, type HttpSender } from './http-exchange.ts';
import type { TokenKeeper } from './token-keeper.ts';

export type ApiCall = {
  method: HttpRequest['method'];
  /** Path and query below the base URL, for instance `/v2/monitors/`. */
  path: string;
  /** Sent as JSON. */
  json?: unknown;
};

export type ApiClient = {
  /** Resolves for 2xx only; throws AppFailure otherwise. */
  call: (call: ApiCall) => Promise<HttpExchange>;
};

export function createApiClient(parts: { http: HttpSender; tokens: TokenKeeper; baseUrl: string }): ApiClient {
  const { http, tokens, baseUrl } = parts;

  function send(call: ApiCall, token: string): Promise<HttpExchange> {
    const body = call.json === undefined ? undefined : JSON.stringify(call.json);
    return http.send({
      method: call.method,
      url: `${baseUrl}${call.path}`,
      headers: [
        ['authorization', `Bearer ${token}`],
        ['accept', 'application/json'],
        ['accept-encoding', 'gzip, br'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ],
      ...(body === undefined ? {} : { body }),
    });
  }

  return {
    async call(call) {
      const token = await tokens.token();
      let exchange = await send(call, token);
      if (exchange.status === 401) exchange = await send(call, await tokens.tokenInsteadOf(token));
      const failure = answerFailure(exchange);
      if (failure) throw failure;
      return exchange;
    },
  };
}

/** The body as JSON. Throws AppFailure PROTOCOL where it is none. */
export function readJson(exchange: HttpExchange): unknown {
  try {
    return JSON.parse(exchange.body.toString('utf8'));
  } catch (error) {
    const type = headerOf(exchange.headers, 'content-type') ?? 'no content type';
    throw new AppFailure(
      'PROTOCOL',
      `${hostOf(exchange.request.url)} answered with something that is not JSON (${type}). Check that the base URL is that of the API.`,
      { httpStatus: exchange.status },
      { cause: error },
    );
  }
}
