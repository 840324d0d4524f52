// What agents read and propose: through the running app, with the active connection and its secrets, or, if none runs, from the data
// folder and the service that the command line names.
import { z } from 'zod';
import {
  type AgentAction,
  type Callback,
  callbackSchema,
  type CallbackSummary,
  callbackSummarySchema,
  type Forecast,
  forecastSchema,
} from '@rainbell/contract/app-rpc';
import { type AgentRequest, AppFailure, createDeliveries, getForecast, openAgentLine, shown } from '@rainbell/core';
import { readDataFolder, type ParsedArguments } from '../terminal/arguments.ts';
import { createStoredValidator } from '../session/callback-store.ts';
import type { CommandContext } from '../terminal/command.ts';
import { withActiveConnection } from '../session/connect.ts';
import { withMonitors } from '../commands/monitors.ts';
import { openStoredCallbacks } from '../session/stored-callbacks.ts';

export type ReadCallback = Pick<Callback, 'headers' | 'answer' | 'checks' | 'truncated' | 'note'> & {
  summary: CallbackSummary;
  body: Buffer;
  /** Why the signature is wrong; only the app can tell. */
  diagnosis?: string | undefined;
};

export type AgentBackend = {
  callbacks: (options: { query: string; beforeId: number | undefined; limit: number }) => Promise<CallbackPage>;
  /** Throws AppFailure NOT_FOUND. */
  callback: (id: number) => Promise<ReadCallback>;
  forecast: (place: { lat: number; lng: number }) => Promise<Forecast>;
  monitors: () => Promise<unknown>;
  /** Null if the service does not explain, or has no such monitor. */
  explain: (monitorId: string) => Promise<unknown>;
  /** Throws AppFailure UNAVAILABLE without a running app, REFUSED without the user's consent. */
  propose: (action: AgentAction, agent: string, signal: AbortSignal) => Promise<unknown>;
};

const pageSchema = z.object({
  items: z.array(callbackSummarySchema),
  nextBeforeId: z.number().int().nullable(),
  problems: z.array(z.object({ term: z.string(), message: z.string() })),
});
export type CallbackPage = z.infer<typeof pageSchema>;

export function createAgentBackend(given: ParsedArguments, context: CommandContext): AgentBackend {
  const dataFolder = readDataFolder(given);
  const { clock } = context;
  /** A service that the command line names is read without the app. */
  const namesService = ['connection', 'base-url'].some((flag) => given.text(flag) !== undefined);

  /** Undefined if no app runs. A line for each request, so that a restart of the app does no harm. */
  async function sendRequest(
    request: AgentRequest,
    agent = 'rainbell mcp',
    signal?: AbortSignal,
  ): Promise<AgentReply | undefined> {
    const line = await openAgentLine(dataFolder, agent);
    if (!line) return undefined;
    try {
      return { result: await line.call(request, signal) };
    } finally {
      line.close();
    }
  }
  const requestFromService = async (request: AgentRequest) => (namesService ? undefined : sendRequest(request));

  return {
    async callbacks({ query, beforeId, limit }) {
      const request = { method: 'callbacks', query, limit, ...(beforeId === undefined ? {} : { beforeId }) } as const;
      const response = await sendRequest(request);
      if (response) return pageSchema.parse(response.result);
      const stored = openStoredCallbacks(dataFolder, clock);
      try {
        return pageSchema.parse(stored.search.search({ query, beforeId, limit }));
      } finally {
        stored.close();
      }
    },

    async callback(id) {
      const response = await sendRequest({ method: 'callback', callbackId: id });
      if (response) {
        const callback = callbackSchema.extend({ diagnosis: z.string().optional() }).parse(response.result);
        return { ...callback, summary: callback, body: Buffer.from(callback.bodyBase64, 'base64') };
      }
      const stored = openStoredCallbacks(dataFolder, clock);
      try {
        const callback = stored.pages.get(id);
        if (!callback) throw new AppFailure('NOT_FOUND', `Callback ${id} is not stored.`);
        const validator = createStoredValidator(stored.pages);
        const { headers, truncated, note, body } = callback;
        const checks = validator.checksOf(callback);
        const summary = validator.summaryOfWhole(callback);
        return { summary, headers, truncated, note, body, checks, answer: callback.answer() };
      } finally {
        stored.close();
      }
    },

    async forecast(place) {
      const response = await requestFromService({ method: 'forecast', ...place });
      if (response) return forecastSchema.parse(response.result);
      return withActiveConnection(given, context, async (activeConnection) =>
        getForecast(await activeConnection.current(), place, { clock }),
      );
    },

    async monitors() {
      const response = await requestFromService({ method: 'monitors' });
      if (response) return response.result;
      return (await withMonitors(given, context, (monitors) => monitors.list())).monitors.map(shown);
    },

    async explain(monitorId) {
      const response = await requestFromService({ method: 'explain', monitorId });
      if (response) return response.result;
      const explanation = await withActiveConnection(given, context, (activeConnection) =>
        createDeliveries({ activeConnection, clock, onChanged: () => {} }).explain(monitorId),
      );
      return explanation ?? null;
    },

    async propose(action, agent, signal) {
      context.output.info(
        `${agent} is requesting a change. Allow or deny it in Rainbell, which shows what will happen.`,
      );
      const response = await sendRequest({ method: 'propose', action }, agent, signal);
      if (response) return response.result;
      throw new AppFailure(
        'UNAVAILABLE',
        `Changes require the user's consent in the app, which is not running with ${dataFolder}. Ask the user to start Rainbell, then call the tool again.`,
      );
    },
  };
}

type AgentReply = { result: unknown };
