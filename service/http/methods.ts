// 405 instead of 404 where a path exists but not with that method, with the Allow header of RFC 9110 §15.5.6.
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ServiceError, quotable } from './service-error.ts';

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `allowed` are the methods that have routes of their own at `url`. */
export function refuseOtherMethods(server: FastifyInstance, url: string, allowed: readonly string[]): void {
  const others = methods.filter((method) => !allowed.includes(method));
  if (others.length === 0) return;
  const allow = allowed.join(', ');
  server.route({
    method: others,
    url,
    // Before the body is read: whatever it is, it is of no use here.
    onRequest: async (request) => {
      throw new ServiceError('method_not_allowed', `${quotable(request.method)} is not possible here; use ${allow}.`, {
        headers: { allow },
      });
    },
    handler: async () => undefined,
  });
}
