// The address of each screen has its state: Back and Forward lead through it, a reload or a link opens it.
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SavedConnection } from '#contract/app-rpc/connections.ts';
import { expectGone, expectShown, forecastOf, openApp, sandbox } from '../open-app.ts';
import { openFilledApp } from '../filled-app.ts';
import { copiedBy } from '../saved-file.ts';
import type { Stubs } from '../stub-client.ts';

async function expectHash(hash: string | RegExp): Promise<void> {
  await expect.poll(() => location.hash).toMatch(hash);
}
const slider = page.getByRole('slider', { name: 'Forecast points' });
const valueNow = () => slider.element().getAttribute('aria-valuenow');
async function expectChosen(name: string): Promise<void> {
  await expect.element(page.getByRole('radio', { name })).toBeChecked();
}

describe('the address of the forecast', () => {
  it('has place, point, tab, and zone, and Back returns to the place before', async () => {
    const stubs: Stubs = { forecast: { get: ({ lat, lng }) => forecastOf({ place: { lat, lng } }) } };
    openApp({ hash: '#/forecast?lat=-41.1&lng=-71.3', stubs });
    await expectShown(page.getByText('−41.1, −71.3').first());
    await expectShown(slider);
    (slider.element() as SVGElement).focus();
    await userEvent.keyboard('{PageDown}{Enter}');
    const value = valueNow();
    await page.getByRole('radiogroup', { name: 'Inspector' }).getByText('Headers').click();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).selectOptions('utc');
    await userEvent.keyboard('{Escape}');
    await expectHash(/^#\/forecast\?lat=-41\.1&lng=-71\.3&at=\d{4}-.*Z&tab=headers&zone=utc$/);
    const first = location.hash;

    await page.getByLabelText('Forecast location').first().fill('64.5, -21.5');
    await userEvent.keyboard('{Enter}');
    await expectHash(/lat=64\.5&lng=-21\.5&tab=headers/);
    history.back();
    await expectHash(first);
    await expectShown(page.getByText('−41.1, −71.3').first());
    await expect.poll(valueNow).toBe(value);
    history.forward();
    await expectShown(page.getByText('64.5, −21.5').first());
    history.back();
    await expectHash(first);

    openApp({ hash: first, stubs });
    await expectShown(slider);
    await expect.poll(valueNow).toBe(value);
    await expectChosen('Headers');
    expect(location.hash).toBe(first);
  });
});

describe('the address of the callbacks', () => {
  it('has search, open callback, and tab, and arrow keys leave no step behind', async () => {
    openFilledApp('#/callbacks');
    const rows = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => rows.length).toBe(3);
    await page.getByLabelText('Search the callbacks').fill('path:first');
    await expectHash('#/callbacks?q=path:first');
    await rows.first().click();
    await expectHash('#/callbacks/3?q=path:first');
    await page.getByText('Raw', { exact: true }).click();
    await expectHash('#/callbacks/3?q=path:first&tab=raw');
    openFilledApp(location.hash);
    await expectShown(page.getByLabelText('Raw request').first());
    await expect.element(page.getByLabelText('Search the callbacks')).toHaveValue('path:first');

    (page.getByRole('listbox').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expectHash('#/callbacks/2?q=path:first&tab=raw');
    await page.getByRole('navigation').getByText('Settings', { exact: true }).click();
    await expectHash('#/settings');
    history.back();
    await expectHash('#/callbacks/2?q=path:first&tab=raw');
    history.back();
    await expectHash(/^#\/callbacks\?q=path/);
    await expectShown(page.getByText('Choose a callback'));
    history.forward();
    await expectHash('#/callbacks/2?q=path:first&tab=raw');
    await expectShown(page.getByLabelText('Raw request').first());
    expect(await copiedBy(/^Copy link$/)).toMatch(/\/#\/callbacks\/2\?q=path:first&tab=raw$/);

    // As from a menu of the desktop app.
    location.hash = '#/settings';
    await expectShown(page.getByRole('heading', { name: 'Settings' }));
    location.hash = '#/callbacks';
    await expectHash('#/callbacks/2?q=path:first&tab=raw');
    await expect.element(page.getByLabelText('Search the callbacks')).toHaveValue('path:first');
  });
});

describe('the address of the monitors', () => {
  it('has search, state, order, map, and the open monitor', async () => {
    openFilledApp('#/monitors');
    await page.getByLabelText('Filter the monitors').fill('precipitation_10');
    await expectHash('#/monitors?q=precipitation_10');
    await page.getByRole('columnheader', { name: 'Place' }).getByRole('button').click();
    await page.getByRole('button', { name: 'precipitation_1049', exact: true }).click();
    await expectHash('#/monitors/precipitation_1049?q=precipitation_10&sort=place');
    openFilledApp(location.hash);
    const opened = page.getByRole('region', { name: 'Monitor precipitation_1049' });
    await expectShown(opened);
    await expect.element(page.getByLabelText('Filter the monitors')).toHaveValue('precipitation_10');
    history.back();
    await expectGone(opened);
    history.forward();
    await expectShown(opened);
    expect(await copiedBy(/^Copy link$/)).toMatch(
      /#\/monitors\/precipitation_1049\?q=precipitation_10&sort=place&via=sandbox$/,
    );
    location.hash = '#/monitors/precipitation_99?state=failing&sort=-created&map=1';
    await expectShown(page.getByText('precipitation_99 isn’t a monitor in this connection.'));
    await expectHash('#/monitors?state=failing&sort=-created&map=1');
  });
});

describe('the address of the traffic', () => {
  it('has the filter, the open exchange, and its tab', async () => {
    openFilledApp('#/traffic');
    await page.getByLabelText('Filter by URL').fill('monitors');
    await page.getByText('API', { exact: true }).click();
    await expectHash('#/traffic?q=monitors&kind=api');
    await page.getByRole('option').first().click();
    await page.getByText('Headers', { exact: true }).click();
    await expectHash('#/traffic/1?q=monitors&kind=api&tab=headers');
    const { hash } = location;
    openFilledApp(hash);
    await expectShown(page.getByRole('heading', { name: 'Response', exact: true }));
    await expectChosen('API');
    history.back();
    await expectShown(page.getByText('Choose a request'));
    history.forward();
    await expectHash(hash);
    await expectShown(page.getByRole('heading', { name: 'Response', exact: true }));
  });
});

describe('the addresses of screens of cards', () => {
  it('have the section, and never put a connection into use', async () => {
    const team: SavedConnection = { ...sandbox, id: 'team', kind: 'own', name: 'Team' };
    const select = vi.fn<() => void>();
    const stubs: Stubs = {
      connections: {
        list: () => ({ connections: [sandbox, team], selectedId: sandbox.id }),
        select() {
          select();
          return { connections: [sandbox, team], selectedId: team.id };
        },
      },
    };
    await page.viewport(1280, 500);
    openFilledApp('#/access/sign-in?way=password', stubs);
    const isInView = (section: string) => {
      const top = document.querySelector(`[data-section="${section}"]`)?.getBoundingClientRect().top;
      return top !== undefined && top >= 0 && top < window.innerHeight;
    };
    await expect.poll(() => isInView('sign-in')).toBe(true);
    await expectChosen('Password');
    for (const [hash, section] of [
      ['#/settings/about', 'about'],
      ['#/connections/team', 'team'],
      ['#/access/log?via=team', 'log'],
    ] as const) {
      location.hash = hash;
      await expect.poll(() => isInView(section)).toBe(true);
    }
    await expectHash('#/access/log');
    await expectShown(page.getByText('This link is for the connection “Team”.'));
    history.back();
    await expectHash('#/connections/team');
    await expect.poll(() => isInView('team')).toBe(true);
    await expectShown(page.getByRole('button', { name: 'Use Team' }).first());
    expect(select).not.toHaveBeenCalled();
  });
});

// Whatever a link from elsewhere says, it is shown as far as it can be read, and the rest is named.
it.each([
  ['The link doesn’t lead to a Rainbell screen.', '#/nothing'],
  ['The link doesn’t lead to a Rainbell screen.', `#/callbacks?q=${'x'.repeat(30_000)}`],
  ['“12/../../x” must be a callback number.', '#/callbacks/12/../../x?q=%'],
  ['“%E0%A4%A” must be a callback number.', '#/callbacks/%E0%A4%A'],
  ['must be a monitor ID.', '#/monitors/<img src=x onerror=alert(1)>'],
  ['“state=__proto__” must be one of any,', '#/monitors?state=__proto__&sort=constructor&map=yes&x=1'],
  ['“from=2026-11-29T99:00Z” must be a time', '#/events?range=custom&from=2026-11-29T99:00Z'],
  ['“0” must be a request number.', '#/traffic/0?kind=all'],
  ['“nowhere” must be one of appearance,', '#/settings/nowhere'],
  ['The forecast has no point at 1850-01-01T00:00:00Z.', '#/forecast?lat=45&lng=7&at=1850-01-01T00:00:00Z'],
  ['This link is for a connection that this app doesn’t have.', '#/sandbox?via=gone'],
])('says of a link: %s', async (notice, hash) => {
  openApp({ hash: '#/settings' });
  await expect.element(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeInTheDocument();
  location.hash = hash;
  await expectShown(page.getByText(notice));
  expect(location.hash).toMatch(/^#\/(settings|callbacks|monitors|events|traffic|forecast|sandbox)/);
});
