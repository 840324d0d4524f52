// Monitors kept in memory by a service that knows only the interface, and the app's screen of them.
import type { Route } from '#test/core/fake-service.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

type Stored = { id: string; callback_uri: string; lat: number; lng: number };
type Geo = { lat: number; lng: number };

export function interfaceOnly(first: readonly Stored[]) {
  const stored = new Map(first.map((monitor) => [monitor.id, { ...monitor }]));
  const toWire = ({ id, callback_uri, lat, lng }: Stored) => ({
    id,
    monitor_type: 'precipitation',
    geo: { type: 'Point', coordinates: [lng, lat] },
    callback_uri,
  });
  let nextId = 100;
  const routes: Record<string, Route> = {
    'GET /v2/monitors/': () => ({ body: { objects: [...stored.values()].map(toWire), meta: {} } }),
    'GET /v2/delivery/': () => ({ status: 404, body: '' }),
    'POST /v2/monitors/': ({ body }) => {
      const { callback_uri, geo } = JSON.parse(body) as { callback_uri: string; geo: Geo };
      const monitor = { id: `precipitation_${nextId++}`, callback_uri, ...geo };
      stored.set(monitor.id, monitor);
      return { status: 201, body: toWire(monitor) };
    },
  };
  for (const { id } of first.slice(0, 20)) {
    routes[`PATCH /v2/monitors/${id}/`] = ({ body }) => {
      const monitor = stored.get(id);
      if (!monitor) return { status: 404, body: '' };
      const { geo, ...rest } = JSON.parse(body) as { geo?: Geo };
      Object.assign(monitor, rest, geo ?? {});
      return { status: 202, headers: { 'content-type': 'text/html' }, body: '' };
    };
    routes[`DELETE /v2/monitors/${id}/`] = () => ({ status: stored.delete(id) ? 204 : 404, body: '' });
  }
  return { routes, stored };
}

/** Monitors of that many places all over the world. */
export const some = (count: number): Stored[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `precipitation_${index + 1}`,
    callback_uri: `https://ops.example.net/teams/weather/hooks/production/rain/${index + 1}`,
    lat: (index % 160) - 80 + 0.5,
    lng: (index % 340) - 170 + 0.25,
  }));

export const openMonitors = (routes: Record<string, Route>): Promise<Screens> =>
  openScreens({ routes, hash: '#/monitors' });
/** It is not among the usual columns. */
export async function showCallbackColumn(page: Screens['page']): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Callback URL' }).click();
  await page.keyboard.press('Escape');
}
