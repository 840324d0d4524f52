// Text of services, senders, and imported files with characters that hide, reorder, or erase the text beside them. The whole page
// is searched on every screen, so that a place which is added later is searched, too. Over the built page: only there, packages escape as well.
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import type { Route } from '#test/core/fake-service.ts';
import { openScreens } from './screen-harness.ts';
import { weatherBody } from '#test/renderer/weather-bodies.ts';

/** Reverses the direction, has no width, deletes, isolates, and is a C1 control. */
const evil = 'evil\u202Etxt\u200B\u0008\u2066\u009B';
const escaped = String.raw`evil\u202Etxt\u200B\u0008\u2066\u009B`;

/** Texts and shown attributes of the page that hold such characters themselves. What can be edited is left out. */
function hiddenOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hidden = /[[\p{Cc}\p{Cf}]--[\t\n\r]]/v;
    const shown = (name: string) =>
      name === 'title' || name === 'alt' || name === 'placeholder' || /^aria-(?!act|con)/.test(name);
    const found: string[] = [];
    const add = (element: Element, text: string | null, what: string) => {
      if (hidden.test(text ?? ''))
        found.push(`${element.tagName} ${element.className} ${what}: ${JSON.stringify(text)}`);
    };
    for (const element of document.querySelectorAll('body, body *:not(textarea)')) {
      for (const { name, value } of element.attributes) if (shown(name)) add(element, value, name);
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) add(element, node.textContent, 'text');
    }
    return found;
  });
}

const monitor = {
  id: `precipitation_${evil}`,
  monitor_type: 'precipitation',
  callback_uri: `https://rain.example/${evil}/x`,
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
};

const routes: Record<string, Route> = {
  'GET /v2/monitors/': () => ({ body: { objects: [monitor], meta: {} } }),
  'GET /v2/delivery/': () => {
    const facts = { failed_in_a_row: 3, is_on: false, off_reason: `dead ${evil}` };
    return { body: { objects: [deliveryOf(monitor.id, facts)], meta: {} } };
  },
  'GET /v2/weather/': (_request, count) => ({
    body: weatherBody({
      now: Date.now(),
      change: (point, index) => ({
        ...point,
        weather: { ...point.weather, status: index < 30 ? `${evil} ${count}` : point.weather['status'] },
        location: { locality: evil, country: evil },
        sources: [evil, 'x'.repeat(2_000)],
        [`odd ${evil}`]: evil,
      }),
    }),
  }),
  'GET /sandbox/state': () => ({ status: 500, body: { error: evil, error_description: evil } }),
  'GET /sandbox/webhook-secrets': () => ({ status: 404 }),
  'PUT /sandbox/callback-authority': () => ({ status: 404 }),
  'POST /token/': (_request, count) => ({
    body: { access_token: `a${count}`, token_type: 'bearer', expires_in: 3600, scope: `post_metag ${evil}` },
  }),
};

it('shows what a service, a sender, or a file hides as escapes, on every screen', async () => {
  const place = { name: `Torino ${evil}`, countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null };
  const { page, core, service, receiverUrl } = await openScreens({ routes, settings: { savedPlaces: [place], place } });
  const fields = { ...fieldsFor(service.introduction), name: `Beta ${evil}`, clientSecret: 's' };
  const { id: betaId } = await core.client.connections.create(fields);
  const event = { id: monitor.id, monitor_type: evil, geo: monitor.geo, date: evil };
  await fetch(`${await receiverUrl()}/hooks/x`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': Buffer.from('\u202Eagent').toString('latin1') },
    body: JSON.stringify(event),
  });
  /** Once the text is shown, nothing on the page may be hidden. */
  const look = async (where: string, text: string | RegExp) => {
    await page.getByText(text).first().waitFor();
    expect.soft(await hiddenOn(page), where).toEqual([]);
  };
  const open = async (screen: string) => page.evaluate((hash) => void (location.hash = hash), `#/${screen}`);

  await look('forecast', `${escaped}, ${escaped}`);
  await page.getByRole('slider').focus();
  await page.keyboard.press('t');
  await page.getByRole('region', { name: 'Forecast points as a table' }).waitFor();
  await look('table of points', `${escaped} 1`);
  await page.keyboard.press('F5');
  await expect
    .poll(() =>
      page
        .getByRole('button', { name: /^Fetch/ })
        .first()
        .isEnabled(),
    )
    .toBe(true);
  await page.keyboard.press('c');
  await look('comparison', /hours? differs?:|have no hours in common|No differences in the/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Saved places (1)' }).click();
  await look('saved places', `Torino ${escaped}`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command or place' }).fill('Use');
  await look('palette', `Use Beta ${escaped}`);
  await page.keyboard.press('Escape');

  await open('monitors');
  await page.getByRole('button', { name: monitor.id.replace(evil, escaped), exact: true }).click();
  await look('monitor', `dead ${escaped}`);
  await open('callbacks');
  await page.getByRole('option').first().click();
  await look('callback', 'monitor_type');
  await open('traffic');
  await page.locator('[role=option]').first().click();
  await look('traffic', /\.\d{3} ·/);
  await open('sandbox');
  await look('sandbox', escaped);
  await open('access');
  await look('scope', `post_metag ${escaped}`);
  service.routes['POST /token/'] = () => ({
    status: 400,
    body: { error: evil, error_description: evil, error_uri: evil },
  });
  await page.getByRole('button', { name: 'Refresh now' }).first().click();
  await look('failed refresh', 'Couldn’t change the token');
  await open('connections');
  await page.getByRole('button', { name: `Test Beta ${escaped}` }).click();
  await look('connection test', /^Tested at/);
  await page.getByRole('button', { name: `Delete Beta ${escaped}` }).click();
  await look('dialog', `Delete Beta ${escaped}?`);
  await page.keyboard.press('Escape');
  await core.client.connections.select({ id: betaId });
  await page.getByRole('button', { name: `Connection: Beta ${escaped}` }).click();
  await look('connection menu', 'Manage connections…');
});
