// Serves the tools to one agent over the Model Context Protocol.
import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppFailure, masking, plainMasker } from '@rainbell/core';
import type { Clock } from '@rainbell/shared';
import { agentTools, type AgentTool, type Reach, untrusted } from './agent-tools.ts';

type AgentServerOptions = { version: string; reach: Reach; clock: Clock };

/** Each request has it since the specification 2026-07-28. */
const envelopeSchema = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional() });
const maxResultLength = 200_000;
/** Most clients stop waiting after 60 s without progress. */
const progressEveryMs = 10_000;

export function createAgentServer(options: AgentServerOptions): McpServer {
  const server = new McpServer(
    { name: 'rainbell', title: 'Rainbell', version: options.version },
    {
      capabilities: { tools: {} },
      instructions: `Reads the callbacks that arrived at the user's receiver, and a weather service's forecasts and monitors. ${untrusted} Tools that change something ask the user in the app first.`,
    },
  );
  for (const tool of agentTools) register(server, tool, options);
  return server;
}

function register(server: McpServer, tool: AgentTool, { reach, clock }: AgentServerOptions): void {
  const { name, title, description, inputSchema, changes, run } = tool;
  const annotations = {
    title,
    readOnlyHint: changes === undefined,
    destructiveHint: changes === 'destroys',
    openWorldHint: true,
  };
  server.registerTool(name, { title, description, inputSchema, annotations }, async (input, { mcpReq }) => {
    const cancelProgress = reportProgress(mcpReq, clock);
    try {
      const envelope = envelopeSchema.safeParse(mcpReq.envelope).data;
      const agentName = envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.server.getClientVersion()?.name ?? '';
      const agent = agentName.replaceAll(/[^\u0020-\u007e]/g, '').slice(0, 80) || 'An agent';
      const result = await run(input, reach, { signal: mcpReq.signal, agent });
      const text = JSON.stringify(result, masking(plainMasker.text));
      if (text.length <= maxResultLength) return { content: [{ type: 'text', text }] };
      return failed('The result is too long. Request less data: a smaller limit, fewer hours, or fewer characters.');
    } catch (error) {
      if (error instanceof AppFailure) return failed(error.message);
      return failed(`Rainbell could not do that: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      cancelProgress();
    }
  });
}

type Call = Pick<ServerContext['mcpReq'], '_meta' | 'notify'>;

/** Reports that the call still runs, if its client wants to know. */
function reportProgress({ _meta, notify }: Call, clock: Clock): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const startedAt = clock.elapsed();
  let cancel: () => void;
  const plan = () => {
    cancel = clock.after(progressEveryMs, () => {
      plan();
      const progress = Math.round((clock.elapsed() - startedAt) / 1000);
      notify({ method: 'notifications/progress', params: { progressToken, progress } }).catch(() => {});
    });
  };
  plan();
  return () => cancel();
}

function failed(message: string): { isError: true; content: { type: 'text'; text: string }[] } {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
