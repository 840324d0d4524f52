// `rainbell mcp`: Rainbell as a server of the Model Context Protocol over standard input and output (docs/agents.md).
import type { Readable } from 'node:stream';
import type { StoredSummary } from '@rainbell/core';
import { readDataFolder, readPort, requireArguments, type ParsedArguments } from '../terminal/arguments.ts';
import { openArrivals } from '../session/arrivals.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions } from '../session/credentials.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readQueryText } from '../commands/listen.ts';
import { matching } from '../commands/wait.ts';
import type { WaitOptions } from './agent-tools.ts';

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
  options: {
    port: commonOptions.port,
    ...serviceOptions,
    help: commonOptions.help,
  },
  examples: ['mcp', 'mcp --connection Production'],
  async run(given, context) {
    requireArguments(given, []);
    // The protocol's libraries take as long to load as all the rest.
    const [{ serveStdio, StdioServerTransport }, { createAgentServer }, { createAgentBackend }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./agent-tools.ts'),
      import('./agent-backend.ts'),
    ]);
    const backend = createAgentBackend(given, context);
    const transport = new StdioServerTransport(context.openInput() as Readable, process.stdout);
    const handle = serveStdio(
      () =>
        createAgentServer({
          version: context.version,
          backend,
          clock: context.clock,
          wait: (options, signal) => waitForOne(given, context, options, signal),
        }),
      { transport, onerror: (error) => context.output.info(`A message could not be handled: ${error.message}`) },
    );
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

async function waitForOne(
  given: ParsedArguments,
  { clock, output, workers }: CommandContext,
  { monitorId, path, query, sinceSeconds, timeoutSeconds }: WaitOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  const arrivals = await openArrivals({
    dataFolder: readDataFolder(given),
    port: readPort(given),
    isDefaultPortRequired: true,
    clock,
    workers,
    tell: output.info,
  });
  try {
    const wanted = {
      monitorId,
      path: path?.toLowerCase(),
      query: query === undefined ? undefined : readQueryText(query, 'The query'),
      count: 1,
      conditions: [],
    };
    const since = clock.now() - sinceSeconds * 1000;
    const found: AsyncGenerator<StoredSummary> = matching(arrivals, wanted, {
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
