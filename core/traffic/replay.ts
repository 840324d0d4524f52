// Sends a logged API call again. Only unmasked values are sent: the token is the connection's current one, and a call with a masked
// value is rejected.
import { AppFailure } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import type { WithConnection } from '../connection/open-connections.ts';
import type { ApiCall } from '../connection/api-client.ts';
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import { maskText, parseExactly } from '@rainbell/shared';
import type { TrafficLog } from './traffic-log.ts';

export function createReplay({ traffic, withConnection }: { traffic: TrafficLog; withConnection: WithConnection }) {
  /** Returns the ID of the new exchange; an error response is one, too. */
  async function sendAgain({ api }: Connection, call: ApiCall): Promise<number | undefined> {
    try {
      return (await api.call(call)).trafficId;
    } catch (error) {
      const { trafficId } = error instanceof AppFailure ? error.details : {};
      // Otherwise the app got no token to send it with.
      if (trafficId !== undefined && traffic.get(trafficId).kind === 'api') return trafficId;
      throw error;
    }
  }

  return (id: number): Promise<{ newId: number }> => {
    const entry = traffic.get(id);
    return withConnection(entry.connectionId, async (connection) => {
      const newId = await sendAgain(connection, callOf(entry, connection));
      if (newId === undefined) throw new AppFailure('NOT_FOUND', 'The request was sent, but it is not in the log.');
      return { newId };
    });
  };
}

/** Throws AppFailure INVALID_INPUT if the call can't be sent again. */
export function callOf(entry: TrafficEntry, { baseUrl, name }: Pick<Connection, 'baseUrl' | 'name'>): ApiCall {
  const { kind, method, url, requestBody } = entry;
  if (kind === 'token') {
    throw refused(
      'A token request contains secrets, which the log does not store. Get a new token on the Access screen.',
    );
  }
  if (url.includes(maskText) || requestBody?.includes(maskText)) {
    throw refused('Part of this request was masked when it was stored. Masked values are never sent.');
  }
  if (!url.startsWith(`${baseUrl}/`)) {
    throw refused(`This request’s URL is not under ${baseUrl}, so it can’t be sent again with ${name}’s token.`);
  }
  // The app sends no other method, and only JSON.
  const call = { method: method as ApiCall['method'], path: url.slice(baseUrl.length) };
  return requestBody === null ? call : { ...call, json: parseExactly(requestBody) };
}

function refused(message: string): AppFailure {
  return new AppFailure('INVALID_INPUT', message, { field: 'id' });
}
