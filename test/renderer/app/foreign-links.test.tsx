// Whatever a link from elsewhere says, it is shown as far as it can be read, and the rest is named.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectShown, openApp } from '../open-app.ts';

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
  ['“pin” needs “at”.', '#/forecast?lat=45&pin=1'],
  ['The forecast has no point at 1850-01-01T00:00:00Z.', '#/forecast?lat=45&lng=7&at=1850-01-01T00:00:00Z'],
  ['This link is for a connection that this app doesn’t have.', '#/sandbox?via=gone'],
])('says of a link: %s', async (notice, hash) => {
  openApp({ hash: '#/settings' });
  await expect.element(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeInTheDocument();
  location.hash = hash;
  await expectShown(page.getByText(notice));
  expect(location.hash).toMatch(/^#\/(settings|callbacks|monitors|events|traffic|forecast|sandbox)/);
});
