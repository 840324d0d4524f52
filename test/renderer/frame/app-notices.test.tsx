// What the app says above every screen: a damaged database and a new version, until the user hides it for good.
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import { features } from '#renderer/app/app-store.ts';
import { expectGone, expectShown, openApp, readyStatus } from '../open-app.ts';
import { AppError } from '../stub-client.ts';

const report: AppStatus['damage'][number] = {
  id: 'app.sqlite.damaged-2026-11-22T09-00-00-000Z',
  at: '2026-11-22T09:00:00.000Z',
  database: 'app.sqlite',
  state: 'replaced',
  detail: 'the file was empty',
  folder: '/data/app.sqlite.damaged-2026-11-22T09-00-00-000Z',
  copiedAt: null,
  missingBodies: 0,
};
const pending: AppStatus['damage'][number] = {
  ...report,
  state: 'pending',
  detail: 'the file was removed while it was in use',
  folder: null,
};

/** Opens the app with these reports, of which one that is acknowledged goes. */
function openWith(damage: AppStatus['damage'], more: Partial<AppStatus> = {}) {
  let reports = damage;
  return openApp({
    stubs: {
      app: {
        status: () => ({ ...readyStatus, ...more, damage: reports }),
        acknowledgeDamage({ id }) {
          reports = reports.filter((one) => one.id !== id);
          return {};
        },
      },
    },
  });
}

const banner = page.getByRole('alert').filter({ hasText: 'The app’s database' });

describe('the report of a damaged database', () => {
  it('is on every screen, and fits a narrow window', async () => {
    const { store } = openWith([report]);
    for (const { name, title } of features.flatMap(({ screen }) => screen ?? [])) {
      store.getState().frame.goTo(name);
      await expectShown(page.getByRole('heading', { name: new RegExp(`^${title}`), level: 1 }).first());
      await expect.element(banner).toMatchTextContent(/was damaged: the file was empty\./);
    }
    await page.viewport(640, 800);
    expect(banner.element().getBoundingClientRect().right).toBeLessThanOrEqual(640);
    await page.getByRole('button', { name: 'Hide report' }).click();
    await expectGone(banner);
  });

  it('comes before what is less bad, which is one press away', async () => {
    openWith([report], { notices: ['Tokens are stored without encryption.'] });
    const less = page.getByText('Tokens are stored without encryption.');
    await expectShown(banner);
    await expectGone(less);
    await page.getByRole('button', { name: '1 more notice' }).click();
    await expectShown(less);
    await page.getByRole('button', { name: 'Show only the first' }).click();
    await expectGone(less);
  });

  it('stays with a message if it cannot be hidden', async () => {
    const { stub } = openWith([report]);
    const acknowledge = () => Promise.reject(new AppError('STORAGE', 'The folder is read-only'));
    stub({ app: { acknowledgeDamage: acknowledge } });
    await page.getByRole('button', { name: 'Hide report' }).click();
    await expectShown(banner.getByText('Couldn’t hide the report: The folder is read-only'));
  });

  it('restarts the app if its host can, once the damage is found while it runs', async () => {
    const { stub } = openWith([pending], { canRestart: true });
    let restarts = 0;
    stub({
      app: {
        restart() {
          restarts += 1;
          return {};
        },
      },
    });
    await banner.getByRole('button', { name: 'Restart Rainbell' }).click();
    await expect.poll(() => restarts).toBe(1);
  });

  it('says how to restart from a terminal, once the damage is found while it runs', async () => {
    openWith([pending]);
    await expect.element(banner).toMatchTextContent(/Press Ctrl\+C in the terminal where Rainbell is running/);
    await expectGone(banner.getByRole('button'));
  });
});

describe('a new version', () => {
  it('is looked for in the settings, and linked on every screen until the user skips it', async () => {
    let update: AppStatus['update'] = { state: 'unchecked' };
    const { store } = openApp({
      hash: '#/settings',
      stubs: {
        app: { status: () => ({ ...readyStatus, update }) },
        updates: {
          check() {
            const pageUrl = 'https://releases.example/rainbell/tag/v3.1.0';
            update = { state: 'available', version: '3.1.0', pageUrl, checkedAt: report.at };
            return update;
          },
        },
      },
    });
    await expectShown(page.getByText('Not checked since the app started.'));
    await page.getByRole('button', { name: 'Check now' }).click();
    await expectShown(page.getByText('Rainbell 3.1.0 is available.'));
    store.getState().frame.goTo('forecast');
    const link = page.getByRole('link', { name: 'View release' });
    await expect.element(link).toHaveAttribute('href', 'https://releases.example/rainbell/tag/v3.1.0');
    await page.getByRole('button', { name: 'Skip this version' }).click();
    await expectGone(link);
    expect(store.getState().settings.values.skippedVersion).toBe('3.1.0');
  });

  it('is not said of the newest one', async () => {
    const update: AppStatus['update'] = { state: 'current', checkedAt: report.at };
    openApp({ hash: '#/settings', stubs: { app: { status: () => ({ ...readyStatus, update }) } } });
    await expectShown(page.getByText('This is the latest version.'));
    await expectGone(page.getByRole('link', { name: 'View release' }));
  });
});
