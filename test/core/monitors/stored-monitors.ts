// A service that stores monitors and has only the interface: no delivery log, and 202 and 204 without a body.
import { type FakeService, type Route, startFakeService } from '../fake-service.ts';

export type Stored = { id: string; callback_uri?: string; lat: number; lng: number };

/** With `isShy`, its list has no callback URLs. */
export async function startMonitorStore(
  first: readonly Stored[],
  { isShy = false } = {},
): Promise<{ service: FakeService; stored: Map<string, Stored> }> {
  const stored = new Map(first.map((monitor) => [monitor.id, { ...monitor }]));
  const toWire = ({ id, callback_uri, lat, lng }: Stored) => ({
    id,
    monitor_type: 'precipitation',
    geo: { type: 'Point', coordinates: [lng, lat] },
    uri: `/v2/monitors/${id}/`,
    ...(isShy ? {} : { callback_uri }),
  });
  const routes: Record<string, Route> = {
    'GET /v2/monitors/': () => ({ body: { objects: [...stored.values()].map(toWire), meta: {} } }),
    'POST /v2/monitors/': ({ body }) => {
      const { callback_uri, geo } = JSON.parse(body) as { callback_uri: string; geo: { lat: number; lng: number } };
      const monitor = { id: `precipitation_${stored.size + 1}`, callback_uri, ...geo };
      stored.set(monitor.id, monitor);
      return { status: 201, body: toWire(monitor) };
    },
  };
  for (const { id } of first) {
    const path = `/v2/monitors/${id}/`;
    const write: Route = ({ body }) => {
      const monitor = stored.get(id);
      if (!monitor) return { status: 404, body: '' };
      const { geo, ...rest } = JSON.parse(body) as { geo?: object };
      Object.assign(monitor, rest, geo);
      return { status: 202, headers: { 'content-type': 'text/html' }, body: '' };
    };
    routes[`PATCH ${path}`] = write;
    routes[`PUT ${path}`] = write;
    routes[`DELETE ${path}`] = () => ({ status: stored.delete(id) ? 204 : 404, body: '' });
  }
  return { service: await startFakeService(routes), stored };
}
