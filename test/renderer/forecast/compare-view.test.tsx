// Comparing forecasts on the screen: kept fetches, two places, two connections, and every state a side can be in.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, forecastOf, openApp, sandbox } from '../open-app.ts';
import { AppError } from '../stub-client.ts';

const now = Date.now();
const kept: Readonly<Record<number, Forecast>> = {
  1: forecastOf({ now, statuses: ['cloudy'] }),
  2: forecastOf({ now, statuses: ['cloudy', 'rainy', 'rainy'] }),
  3: forecastOf({ now, statuses: ['cloudy', 'rainy', 'cloudy'] }),
};
const slider = page.getByRole('slider', { name: 'Forecast points' });
const columnC = page.getByRole('columnheader', { name: 'C', exact: true });

type Options = NonNullable<Parameters<typeof openApp>[0]>;

/** Kept fetches with these IDs, newest last. */
async function openKept(ids: readonly number[], { hash = '', settings = {}, stubs = {} }: Options = {}) {
  const fetches = ids.toReversed().map((id) => ({
    id,
    fetchedAt: new Date(now - (3 - id) * 60_000).toISOString(),
    connectionId: sandbox.id,
    connectionName: 'Sandbox',
    points: [],
  }));
  const opened = openApp({
    hash,
    settings,
    stubs: {
      ...stubs,
      forecast: {
        get: () => forecastOf({ now }),
        history: () => ({ fetches }),
        stored({ id }) {
          const one = ids.includes(id) ? kept[id] : undefined;
          if (!one) throw new AppError('NOT_FOUND', `Forecast ${id} is no longer stored.`);
          return one;
        },
        ...stubs.forecast,
      },
    },
  });
  await expectShown(slider.or(page.getByRole('heading', { name: 'Compare' })).first());
  return opened;
}

describe('the comparison', () => {
  it('of two fetches names what changed, with only the keyboard', async () => {
    await openKept([1, 2]);
    await userEvent.keyboard('c');
    await expectShown(page.getByText(/\d+ of 72 hours differ:/));
    await expectShown(page.getByRole('cell', { name: 'rainy' }).first());
    await expectAccessible('the comparison of forecasts');
    await userEvent.keyboard('c');
    await expectShown(slider);
  });

  it('of two places is reached from the palette and keeps the loaded side if the other fails', async () => {
    const reykjavik = { name: 'Reykjavík', countryCode: 'IS', lat: 64.1466, lng: -21.9426, population: null };
    const down = new AppError('SERVER', 'Down for a minute', { httpStatus: 503 });
    const { stub } = await openKept([1, 2], { settings: { savedPlaces: [reykjavik] } });
    await userEvent.keyboard('{Control>}k{/Control}');
    await page.getByRole('combobox', { name: 'Command or place' }).fill('compare');
    await userEvent.keyboard('{Enter}');
    await expectShown(page.getByRole('heading', { name: 'Compare' }));
    stub({ forecast: { get: () => Promise.reject(down) } });
    await page.getByRole('combobox', { name: 'B', exact: true }).selectOptions('Reykjavík, Iceland · now');
    const alert = page.getByRole('alert');
    await expectShown(alert.getByText('Couldn’t fetch forecast B'));
    stub({ forecast: { get: () => forecastOf({ now, count: 40, place: reykjavik, statuses: ['snowy'] }) } });
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expectShown(page.getByText(/39 of 39 hours differ: .* 33 hours only in A\./));
    await expectGone(alert);
  });

  it('of three fetches, in every track, goes into the link, can lose a side, and is a step of the history', async () => {
    await openKept([1, 2, 3]);
    await userEvent.keyboard('c');
    await expectShown(page.getByText(/\d+ of 72 hours differ/));
    await page.getByRole('combobox', { name: 'Add a forecast' }).selectOptions('fetch:1');
    await expect.poll(() => location.hash).toContain('compare=fetch:2;fetch:3;fetch:1');
    await expectShown(columnC);
    await expectShown(page.getByText(/^C: \d+ of 72 hours differ/));
    const tracks = () => [...document.querySelectorAll('[data-side="2"]')];
    // A band, and each measured value that the service sends.
    await expect.poll(() => tracks().length).toBe(1 + 5);
    await page.getByRole('button', { name: 'Remove C' }).click();
    await expectGone(columnC);
    history.back();
    await expectShown(columnC);
  });

  it('of two has every difference in its table', async () => {
    const measured = (hour: number) => ({
      temperature: 290 + hour,
      humidity: hour,
      pressure: 900 + hour,
      wind_speed: 9 + hour,
    });
    const change = (point: object, hour: number) => ({
      ...point,
      weather: { status: 'snowy', measured: measured(hour) },
    });
    const get = () => forecastOf({ now, change });
    await openKept([1], { hash: '#/forecast?compare=fetch:1;45.0703,7.6869', stubs: { forecast: { get } } });
    await expectShown(page.getByText(/72 of 72 hours differ/));
    await expectGone(page.getByText(/^And \d+ more$/));
  });

  it('of two connections asks each', async () => {
    const team = { ...sandbox, id: 'team', kind: 'own' as const, name: 'Team' };
    const asked: (string | undefined)[] = [];
    const connections = { list: () => ({ connections: [sandbox, team], selectedId: sandbox.id }) };
    const get = ({ connectionId }: { connectionId?: string | undefined }) => {
      asked.push(connectionId);
      return forecastOf({ now });
    };
    await openKept([1, 2], {
      hash: '#/forecast?compare=45.0703,7.6869;45.0703,7.6869@team',
      stubs: { connections, forecast: { get } },
    });
    await expectShown(page.getByText('No differences in the 72 shared hours.'));
    expect(new Set(asked)).toEqual(new Set([undefined, 'team']));
    // The place of a link is not the shown one, so its connection has to be named.
    location.hash = '#/forecast?compare=45.07,7.69;45.07,7.69@team';
    const chosen = () => page.getByRole('combobox', { name: 'B', exact: true }).element() as HTMLSelectElement;
    await expect.poll(() => chosen().selectedOptions[0]?.text).toBe('45.07, 7.69 · Team · now');
    await page.getByRole('button', { name: 'Close the comparison' }).click();
    await expectShown(slider);
  });

  it('says that two forecasts share no instant, that a fetch is gone, and that a link is wrong', async () => {
    const get = () => forecastOf({ now: now + 400 * 3_600_000 });
    await openKept([1, 2], { hash: '#/forecast?compare=fetch:1;45.0703,7.6869', stubs: { forecast: { get } } });
    await expectShown(page.getByText(/A and B have no hours in common: A covers/));
    location.hash = '#/forecast?compare=fetch:1;fetch:9999';
    await expectShown(page.getByText('Forecast 9999 is no longer stored').first());
    location.hash = '#/forecast?compare=here;there';
    await expectShown(page.getByText('“compare=here;there” must be 2 to 4 places such as 45.07,7.69').first());
  });
});
