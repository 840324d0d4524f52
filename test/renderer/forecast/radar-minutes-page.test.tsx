// The layer "Radar nowcast": offered by a service that has it, never by another.
import { it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../axe.ts';
import { reportOf } from '../monitors/monitor-samples.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const minute = 60_000;
const states = (hasRadarMinutes: boolean) => () => reportOf([], { hasRadarMinutes });
const points = page.getByRole('slider', { name: 'Forecast points' });

it('radar minutes are requested once they are shown, with unit, source, and age', async () => {
  const now = Date.now();
  const start = Math.floor(now / (5 * minute)) * 5 * minute;
  const { stub } = openApp({ stubs: { monitors: { deliveryStates: states(true) } } });
  await expectShown(points);
  await page.getByRole('button', { name: 'View' }).click();
  // A request before this would have failed the test.
  stub({
    radar: {
      minutes: ({ lat, lng }) => ({
        query: { lat, lng },
        source: 'met-norway-nowcast',
        stepMinutes: 5,
        ageMs: 4 * minute,
        fetchedAt: new Date(now).toISOString(),
        steps: Array.from({ length: 24 }, (_, index) => ({
          at: new Date(start + index * 5 * minute).toISOString(),
          rate: index === 4 ? 2.4 : 0,
        })),
      }),
    },
  });
  await page.getByRole('checkbox', { name: /^Radar nowcast/ }).click();
  await userEvent.keyboard('{Escape}');
  const strip = page.getByRole('region', { name: 'Radar nowcast, mm/h' });
  await expectShown(strip.getByText(/Precipitation from .*, up to 2\.4 mm\/h, 0\.2 mm in total/));
  await expectShown(strip.getByText(/^met-norway-nowcast, \d min old$/));
  await expectAccessible('the radar nowcast');
});

it('radar minutes are neither offered nor requested if the service does not name them', async () => {
  openApp({ stubs: { monitors: { deliveryStates: states(false) } } });
  await expectShown(points);
  await page.getByRole('button', { name: 'View' }).click();
  await expectShown(page.getByRole('checkbox', { name: 'Pressure' }));
  await expectGone(page.getByRole('checkbox', { name: /Radar/ }));
});
