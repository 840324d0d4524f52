// An OAuth service with one application, and a client that posts to it and reports every part of a response.
import { request } from 'node:http';
import { expect } from 'vitest';
import { basic, startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

type Exchange = { path?: string; form?: Record<string, string>; authorization?: string; type?: string | null };

export async function startWithClient() {
  const service = await startOAuthService();
  const own = await registerApplication(service);
  const authorization = basic(own.clientId, own.clientSecret);
  /** With node:http, which sends no content type automatically. */
  const post = ({
    path = '/token/',
    form = {},
    authorization: header,
    type = 'application/x-www-form-urlencoded',
  }: Exchange) =>
    new Promise<{ status: number; challenge: unknown; cache: unknown; json: Record<string, unknown> }>(
      (resolve, reject) => {
        const headers = {
          ...(header === undefined ? {} : { authorization: header }),
          ...(type === null ? {} : { 'content-type': type }),
        };
        const sent = request(`${service.baseUrl}${path}`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              challenge: response.headers['www-authenticate'],
              cache: [response.headers['cache-control'], response.headers.pragma, response.headers['content-type']],
              json: JSON.parse(text) as Record<string, unknown>,
            }),
          );
        });
        sent.on('error', reject).end(new URLSearchParams(form).toString());
      },
    );
  const refusal = async (exchange: Exchange) => {
    const { status, json, challenge } = await post(exchange);
    expect(Object.keys(json)).toEqual(['error', 'error_description']);
    return [status, json['error'], json['error_description'], ...(challenge === undefined ? [] : [challenge])];
  };
  return { ...service, own, authorization, post, refusal };
}
