// Serves the procedures to other programs of the same user: commands, agents, and a second start of the app. They read the port and a
// secret from a file of the data folder that only its owner can read (core/hosting/running-app.ts).
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BodyLimitPlugin, RPCHandler } from '@orpc/server/node';
import { ORPCError } from '@orpc/server';
import { within } from '@rainbell/shared';
import { closeServer, connectionLimits, countHosts, limitConnections, listenAt } from '@rainbell/shared/node';
import { AppFailure } from '../errors/app-failure.ts';
import { announceApp, type Caller } from '../hosting/running-app.ts';
import { masking } from '../traffic/mask.ts';
import type { Parts } from './feature.ts';
import type { ScreenContext } from './handlers.ts';
import { toRpcError } from './rpc-errors.ts';
import type { AppRouter } from './rpc-serving.ts';

type CommandServerOptions = Pick<Parts, 'dataFolder' | 'mask' | 'clock' | 'log'> & { router: AppRouter };

/** What agents may call; to change something, they ask the user with `agents.propose`. */
const agentProcedures = new Set([
  'agents.propose',
  'app.notices',
  'app.status',
  'callbacks.diagnoseSignature',
  'callbacks.get',
  'callbacks.list',
  'callbacks.search',
  'forecast.get',
  'monitors.explain',
  'monitors.list',
]);
/** Only the user decides, in a window. */
const screenProcedures = new Set(['agents.decide']);
/** As of a screen (headless/screen-server.ts). */
const maxRequestBytes = 1024 * 1024;
/** A response to an agent is masked as a whole. */
const maxAgentResponse = 4 * 1024 * 1024;
/** How long requests of other programs may still run when a command ends. */
const graceMs = 2000;

/** Resolves when it listens, or if it can't. */
export async function openCommandServer(options: CommandServerOptions) {
  const { dataFolder, log } = options;
  const secret = randomBytes(32).toString('base64url');
  const handlers = { command: createHandler(options, 'command'), agent: createHandler(options, 'agent') };
  const running = new Set<Promise<unknown>>();
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 5000 });
  limitConnections(server, connectionLimits, () => performance.now());
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    const caller = isProgram(request) && hasSecret(request, secret) ? callerOf(request) : undefined;
    if (caller === undefined) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const context = { whenWritable: () => Promise.resolve() };
    const work = handlers[caller]
      .handle(request, response, { prefix: `/${caller}`, context })
      .then(({ matched }) => (matched ? undefined : response.writeHead(404).end()))
      .catch((error: unknown) => log.warn({ err: error }, 'a command got no response'))
      .finally(() => running.delete(work));
    // Streams of notices do not end automatically.
    if (!request.url?.endsWith('/app/notices')) running.add(work);
  });
  // Without a listener, an error such as EMFILE would end the process.
  server.on('error', (error) => log.warn({ err: error }, 'the server for commands and agents failed'));
  let port: number | undefined;
  let conceal = () => {};
  try {
    listenAt(server, '127.0.0.1', 0);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    conceal = announceApp(dataFolder, { port, secret });
  } catch (error) {
    log.warn({ err: error }, 'commands and agents cannot reach this process');
  }
  return {
    /** For the guard of outgoing requests. */
    ports: () => (port === undefined ? [] : [port]),
    /** `isPatient`: lets requests that still run end. */
    async close(isPatient: boolean) {
      conceal();
      if (isPatient) await within(options.clock, graceMs, Promise.all(running));
      await closeServer(server);
    },
  };
}

function createHandler(options: CommandServerOptions, caller: Caller) {
  const { router, mask, clock, log } = options;
  const isAllowed = (name: string) => (caller === 'agent' ? agentProcedures.has(name) : !screenProcedures.has(name));
  const masked = <Value>(value: Value): Value => {
    const text = JSON.stringify(value, masking(mask));
    if (text.length > maxAgentResponse)
      throw new AppFailure('INVALID_INPUT', 'The result is too long. Request less data.');
    return JSON.parse(text) as Value;
  };
  return new RPCHandler<ScreenContext>(router, {
    plugins: [new BodyLimitPlugin({ maxBodySize: maxRequestBytes })],
    clientInterceptors: [
      async ({ path, next }) => {
        try {
          if (!isAllowed(path.join('.')))
            throw new AppFailure('REFUSED', 'This can only be done in a window of Rainbell.');
          const output = await next();
          // Notices have no secrets, and do not end.
          return caller === 'agent' && path.join('.') !== 'app.notices' ? masked(output) : output;
        } catch (error) {
          const { code, message, data } = toRpcError(error, log, clock);
          throw new ORPCError(code, { defined: true, message: caller === 'agent' ? mask(message) : message, data });
        }
      },
    ],
  });
}

/** Browsers send one of these headers with each POST. */
function isProgram({ headers, rawHeaders, socket }: IncomingMessage): boolean {
  const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  return !isFromPage && countHosts(rawHeaders) === 1 && headers.host === `127.0.0.1:${socket.localPort}`;
}

function hasSecret({ headers }: IncomingMessage, secret: string): boolean {
  const [sent, wanted] = [headers.authorization ?? '', `Bearer ${secret}`].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return sent !== undefined && wanted !== undefined && timingSafeEqual(sent, wanted);
}

function callerOf({ url = '' }: IncomingMessage): Caller | undefined {
  return (['command', 'agent'] as const).find((caller) => url.startsWith(`/${caller}/`));
}
