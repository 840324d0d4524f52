// Collects the responses of all services in this process. Fastify announces each server on a diagnostics channel, so no
// harness has to know. A module of its own, so that test files that share a process subscribe once.
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '#service/http/operation.ts';

export type ServiceResponse = {
  operation: Operation;
  status: number;
  type: string;
  encoding: string;
  /** The names of its fields, in lower case. */
  fields: readonly string[];
  payload: unknown;
};

const responses: ServiceResponse[] = [];

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  // Checked after the test, so that the service is as quick as without.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { operation } = request.routeOptions.config;
    if (operation && request.method !== 'HEAD') {
      const header = (name: string) => String(reply.getHeader(name) ?? '');
      const [type, encoding] = [header('content-type'), header('content-encoding')];
      const fields = Object.keys(reply.getHeaders());
      responses.push({ operation, status: reply.statusCode, type, encoding, fields, payload });
    }
    done();
  });
});

/** Returns the responses since the last call. */
export function takeResponses(): ServiceResponse[] {
  return responses.splice(0);
}
