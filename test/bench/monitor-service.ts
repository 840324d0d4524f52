// A service with many monitors for the palette's bench.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectToApp } from '#test/setup/app-client.ts';

/** A service that has tokens, monitors that can be changed, and a delivery log, and no weather. */
export async function serveMonitors(monitorCount: number): Promise<{ url: string; stop: () => void }> {
  const objects = Array.from({ length: monitorCount }, (_, index) => ({
    id: `precipitation_${index + 1}`,
    monitor_type: 'precipitation',
    callback_uri: `https://ops.example.net/rain/${index + 1}`,
    geo: { type: 'Point', coordinates: [(index % 360) - 180, (index % 170) - 85] },
    uri: `/v2/monitors/precipitation_${index + 1}/`,
  }));
  const answers: Readonly<Record<string, unknown>> = {
    '/token/': { access_token: 'bench', token_type: 'bearer', expires_in: 36_000, refresh_token: 'bench' },
    '/v2/monitors/': { objects, meta: {} },
    // With a delivery log, the app takes it for our own service, whose requests it does not limit.
    '/v2/delivery/': { objects: objects.map(({ id }) => stateOf(id)), meta: {} },
  };
  const server = createServer((request, response) => {
    const body = answers[(request.url ?? '').split('?')[0] ?? ''];
    request.resume();
    if (request.method === 'PATCH') return void response.writeHead(202, { 'content-type': 'text/html' }).end();
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Makes the service the active connection of the app at `origin`; returns a function that makes the one before it active again. */
export async function chooseService(origin: string, session: string, url: string) {
  const { client, disconnect } = await connectToApp(origin, { session });
  const { selectedId } = await client.connections.list();
  const { id } = await client.connections.create({
    name: 'Bench',
    color: 'blue',
    baseUrl: url,
    authUrl: url,
    clientId: 'bench',
    clientSecret: 'bench',
    isPublic: false,
    redirectUri: '',
    scope: '',
    caPem: null,
    proxyUrl: null,
  });
  await client.connections.select({ id });
  return async () => {
    await client.connections.select({ id: selectedId });
    disconnect();
  };
}

function stateOf(id: string) {
  return {
    monitor_id: id,
    last_event_at: null,
    next_event_allowed_at: null,
    failed_in_a_row: 0,
    is_on: true,
    off_since: null,
    off_reason: null,
    last_attempt: null,
  };
}
