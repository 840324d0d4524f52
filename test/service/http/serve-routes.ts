// Routes on the service's own HTTP server, without the rest of the service.
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { bindSocket, closeSocket, createHttpServer } from '#service/http/server.ts';

type Options = { limits?: Parameters<typeof bindSocket>[3]; log?: Parameters<typeof createHttpServer>[1] };

export async function serveRoutes(
  register: (server: FastifyInstance) => void,
  { limits, log = pino({ level: 'silent' }) }: Options = {},
) {
  const socket = await bindSocket('127.0.0.1', 0, undefined, limits);
  const { server, attach } = createHttpServer(socket, log);
  register(server);
  await server.ready();
  attach();
  const close = async () => {
    await closeSocket(socket, 100);
    await server.close();
  };
  return { baseUrl: socket.baseUrl, port: socket.port, close };
}
