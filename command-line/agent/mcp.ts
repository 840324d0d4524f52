// `rainbell mcp`: Rainbell as a server of the Model Context Protocol over standard input and output (docs/agents.md).
import type { Readable } from 'node:stream';
import type { AppClient } from '@rainbell/contract/app-rpc';
import { appMissing, findRunningApp } from '@rainbell/core';
import { readDataFolder, readPort, type ParsedArguments } from '../terminal/arguments.ts';
import { openArrivals } from '../session/arrivals.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions } from '../session/credentials.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { requireQuery } from '../commands/listen.ts';
import { matching } from '../commands/wait.ts';
import { withStored } from '../session/app-session.ts';
import { withService } from '../session/service-session.ts';
import type { Reach, WaitOptions } from './agent-tools.ts';

export const mcp: Command = {
  name: 'mcp',
  usage: '[--port N] [--connection NAME | --base-url URL --client-id ID] [--data DIR]',
  summary:
    'Serve agents over standard input and output (Model Context Protocol), read-only unless you allow more in the app',
  details: [
    'Agents start this command themselves: add it as a server’s command in the agent’s settings.\n' +
      'They can list, search, read, and wait for callbacks, and read forecasts and monitors. Only the running app can replay\n' +
      'callbacks, make it rain, and change monitors, and only after you choose “Allow once” in its window.',
    serviceDetails,
  ],
  options: { port: commonOptions.port, ...serviceOptions },
  examples: ['mcp', 'mcp --connection Production'],
  async run(given, context) {
    // The protocol's libraries take as long to load as all the rest.
    const [{ serveStdio, StdioServerTransport }, { createAgentServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./agent-server.ts'),
    ]);
    const transport = new StdioServerTransport(context.openInput() as Readable, process.stdout);
    const { version, clock } = context;
    const reach = createReach(given, context);
    const handle = serveStdio(() => createAgentServer({ version, reach, clock }), {
      transport,
      onerror: (error) => context.output.info(`A message could not be handled: ${error.message}`),
    });
    await untilOver(transport, context.signal);
    await handle.close();
    return context.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  },
};

function untilOver(transport: { onclose?: () => void }, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    const onclose = transport.onclose;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** Each call finds the process that has the data folder again, because the app may have restarted. */
function createReach(given: ParsedArguments, context: CommandContext): Reach {
  const dataFolder = readDataFolder(given);
  const namesService = ['connection', 'base-url'].some((flag) => given.text(flag) !== undefined);

  async function viaApp<Result>(
    task: (client: AppClient) => Promise<Result>,
    otherwise: () => Promise<Result>,
  ): Promise<Result> {
    const running = await findRunningApp(dataFolder, 'agent');
    if (!running) return otherwise();
    try {
      return await task(running.client);
    } finally {
      running.close();
    }
  }

  return {
    stored: (task) => viaApp(task, () => withStored(dataFolder, context, task)),
    service(task) {
      const ownService = () => withService(given, context, ({ client }) => task(client));
      return namesService ? ownService() : viaApp(task, ownService);
    },
    propose(action, { agent, signal }) {
      context.output.info(
        `${agent} is requesting a change. Allow or deny it in Rainbell, which shows what will happen.`,
      );
      return viaApp(
        ({ agents }) => agents.propose({ agent, action }, { signal }),
        () => Promise.reject(appMissing(dataFolder)),
      );
    },
    wait: (options, signal) => waitForOne(given, context, options, signal),
  };
}

async function waitForOne(
  given: ParsedArguments,
  context: CommandContext,
  { monitorId, path, query, sinceSeconds, timeoutSeconds }: WaitOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { clock } = context;
  const arrivals = await openArrivals({
    dataFolder: readDataFolder(given),
    port: readPort(given),
    isDefaultPortRequired: true,
    context,
    tell: context.output.info,
  });
  try {
    const wanted = {
      monitorId,
      path: path?.toLowerCase(),
      query: query === undefined ? undefined : requireQuery(query, 'The query'),
    };
    const since = clock.now() - sinceSeconds * 1000;
    const found = matching(arrivals, wanted, {
      since,
      isNew: () => true,
      clock,
      timeoutMs: timeoutSeconds * 1000,
      signal,
    });
    for await (const callback of found) return callback.id;
    return undefined;
  } finally {
    await arrivals.close();
  }
}
