// Monitors and callbacks as testers use them, in a real Chromium.
import { describe, expect, it } from 'vitest';
import type { Route } from '#test/core/fake-service.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

type Stored = {
  id: string;
  callback_uri?: string;
  geo: { type: 'Point'; coordinates: [number, number] };
  monitor_type: string;
};

/** A service that keeps monitors in memory, as the interface describes them. */
function monitorRoutes(stored: Stored[] = []): Record<string, Route> {
  return {
    'GET /v2/monitors/': () => ({ body: { objects: stored, meta: {} } }),
    'POST /v2/monitors/': ({ body }) => {
      const { geo, callback_uri } = JSON.parse(body) as { geo: { lat: number; lng: number }; callback_uri: string };
      const monitor: Stored = {
        id: `precipitation_${stored.length + 1}`,
        callback_uri,
        geo: { type: 'Point', coordinates: [geo.lng, geo.lat] },
        monitor_type: 'precipitation',
      };
      stored.push(monitor);
      return { status: 201, body: monitor };
    },
    'PATCH /v2/monitors/precipitation_1/': () => ({ status: 202, body: '', headers: { 'content-type': 'text/html' } }),
    'DELETE /v2/monitors/precipitation_1/': () => {
      stored.splice(0, 1);
      return { status: 204 };
    },
  };
}

const silentMonitor: Stored = {
  id: 'precipitation_1',
  geo: { type: 'Point', coordinates: [36.8219, -1.2921] },
  monitor_type: 'precipitation',
};

async function openMonitors(stored?: Stored[]): Promise<Screens> {
  return openScreens({ routes: monitorRoutes(stored), hash: '#/monitors' });
}

describe('the monitors screen', () => {
  it('leads a newcomer to a first monitor that calls this app, and stops bad coordinates and URLs in the form', async () => {
    const { page, service, core } = await openMonitors();
    await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).waitFor();
    const sent = JSON.parse(service.requestsTo('POST /v2/monitors/')[0]?.body ?? '{}') as {
      callback_uri: string;
      geo: object;
    };
    expect(sent.geo).toEqual({ lat: 45.0703, lng: 7.6869 });
    expect(sent.callback_uri.startsWith(core.core.status().receiver.baseUrl ?? 'none')).toBe(true);

    await page.getByRole('button', { name: 'New monitor' }).click();
    await page.getByLabel('Latitude').fill('91');
    await page.getByLabel('Another URL').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Latitude must be from −90 to 90. Are latitude and longitude swapped?').waitFor();
    await page.getByText('Enter a URL, for instance').waitFor();
    expect(service.requestsTo('POST /v2/monitors/')).toHaveLength(1);
  });

  it('sends PATCH with only the changed field, and takes a delete back', async () => {
    const { page, service } = await openMonitors([silentMonitor]);
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).click();
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('Longitude').fill('37');
    await page.getByText('PATCH sends: geo').waitFor();
    await page.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect
      .poll(() =>
        service.requestsTo('PATCH /v2/monitors/precipitation_1/').map(({ body }) => JSON.parse(body) as unknown),
      )
      .toEqual([{ geo: { lat: -1.2921, lng: 37 } }]);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleting in a few seconds').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Deleting in a few seconds').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).waitFor();
    expect(service.requestsTo('DELETE /v2/monitors/precipitation_1/')).toEqual([]);
  });
});

describe('the callbacks screen', () => {
  async function send(core: Screens['core'], count: number): Promise<void> {
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
    const { baseUrl } = core.core.status().receiver;
    for (let index = 0; index < count; index++) {
      await fetch(`${baseUrl}/hooks/try`, { method: 'POST', body: JSON.stringify({ id: `precipitation_${index}` }) });
    }
  }

  it('shows callbacks as they arrive, does not move once scrolled, and shows how many arrived', async () => {
    const { page, core } = await openScreens({ routes: monitorRoutes(), hash: '#/callbacks' });
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    await send(core, 60);
    const list = page.getByRole('listbox');
    await page.getByText('60 stored').waitFor();
    await list.focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await page.getByRole('heading', { name: 'POST /hooks/try' }).waitFor();
    const chosen = await list.getAttribute('aria-activedescendant');
    await send(core, 3);
    await page.getByRole('button', { name: '3 new' }).click();
    await page.getByText('63 stored').waitFor();
    await page.getByRole('heading', { name: 'POST /hooks/try' }).waitFor();
    expect(chosen).not.toBeNull();
    await page.getByLabel('Search the callbacks').fill('method:POST monitor:precipitation_59');
    await page.getByText(/^1 callback · /).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
  });

  it('misses no callback that arrived while the connection to the app was cut, and shows a hostile body as text', async () => {
    const { page, core, dropLine, receiverUrl } = await openScreens({ routes: monitorRoutes(), hash: '#/callbacks' });
    await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    await dropLine();
    await send(core, 5);
    await page.getByText('5 stored').waitFor();
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0);

    const baseUrl = await receiverUrl();
    const body = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
    await fetch(`${baseUrl}/<b>x</b>`, { method: 'POST', body });
    await page.getByText('6 stored').waitFor();
    await page.getByRole('option').first().click();
    const shown = page.getByRole('region', { name: 'Body' });
    expect((await shown.innerText()).trim()).toBe(body);
    // With the number of unread callbacks until the opened one counts as read.
    await expect.poll(() => page.title()).toMatch(/^(?:\(\d\) )?Rainbell$/);
  });
});
