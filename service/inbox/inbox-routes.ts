// `POST /in/TOKEN/NAME` of any sender, and the routes with which an application opens and closes its inbox (docs/feed.md).
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { inboxSchema, maxInboxBodyBytes } from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';
import { inPath, type Operation } from '../http/operation.ts';
import type { Inbox } from './inbox.ts';

const common = { group: 'Delivery', access: 'application', isTriable: true } as const;
const state = [{ status: 200, meaning: 'The inbox.', schema: inboxSchema }];

const getInbox: Operation = {
  ...common,
  id: 'get-inbox',
  title: 'Get the inbox',
  description:
    'The address at which the service receives webhooks of any sender for the calling application; null if it is closed.',
  responses: state,
};

const openInbox: Operation = {
  ...common,
  id: 'open-inbox',
  title: 'Open the inbox',
  description:
    'Gives the inbox a new address; an earlier one stops working. Each POST below it is stored with its exact bytes, at most ' +
    `${maxInboxBodyBytes / 1024} KB of body, for 30 days, and appears in the event feed.`,
  responses: state,
};

const closeInbox: Operation = {
  ...common,
  id: 'close-inbox',
  title: 'Close the inbox',
  description: 'Deletes the address and what was received there.',
  responses: [{ status: 204, meaning: 'The inbox is closed.' }],
};

const receiveWebhook: Operation = {
  id: 'receive-webhook',
  group: 'Delivery',
  access: 'none',
  title: 'Send a webhook to an inbox',
  description: 'For any sender. The application sees the name as the path.',
  parameters: [inPath('token', 'TOKEN', 'From the address of an open inbox.'), inPath('name', 'stripe', 'Any name.')],
  body: { type: 'application/json', otherTypes: ['*/*'], schema: z.unknown(), example: '{"id": "evt_1"}' },
  responses: [{ status: 200, meaning: 'The request is stored. The response has no body.' }],
};

type Needs = { inbox: Inbox; preHandler: preHandlerAsyncHookHandler[] };

export function registerInboxRoutes(server: FastifyInstance, { inbox, preHandler }: Needs): void {
  const shown = async (applicationId: string) => ({ url: await inbox.addressOf(applicationId) });
  server.get('/v2/inbox/', { preHandler, config: { operation: getInbox } }, ({ access }) =>
    shown(access.applicationId),
  );
  server.put('/v2/inbox/', { preHandler, config: { operation: openInbox } }, async ({ access }) => {
    await inbox.open(access.applicationId);
    return shown(access.applicationId);
  });
  server.delete('/v2/inbox/', { preHandler, config: { operation: closeInbox } }, async ({ access }, reply) => {
    await inbox.close(access.applicationId);
    return reply.code(204).header('content-length', '0').send();
  });
  void server.register(async (scope) => receiveRequests(scope, inbox));
}

function receiveRequests(scope: FastifyInstance, inbox: Inbox): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  scope.post<{ Params: { token: string } }>(
    '/in/:token/:name',
    { bodyLimit: maxInboxBodyBytes, config: { operation: receiveWebhook } },
    async (request, reply) => {
      const { raw, params, body } = request;
      const result = await inbox.receive(params.token, {
        method: request.method,
        // The token stays here.
        target: (raw.url ?? '').replace(/^\/in\/[^/?]+/, ''),
        http_version: raw.httpVersion,
        headers: pairsOf(raw.rawHeaders),
        body_base64: Buffer.isBuffer(body) ? body.toString('base64') : '',
        remote_address: request.ip,
      });
      if (result === 'unknown') throw new ServiceError('not_found', 'No inbox has this address.');
      if (result === 'full') {
        const text = 'This inbox is full. Its owner can close and open it.';
        throw new ServiceError('temporarily_unavailable', text, { retryAfter: 3600 });
      }
      return reply.code(200).header('content-length', '0').send();
    },
  );
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2] ?? '', flat[index * 2 + 1] ?? '']);
}
