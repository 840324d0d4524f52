// The form of a connection, and its end.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SavedConnection } from '#contract/app-rpc/connections.ts';
import { listOf, monitorOf } from '../monitors/monitor-samples.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp, readyStatus, sandbox } from '../open-app.ts';
import { AppError } from '../stub-client.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

describe('the connections screen', () => {
  it('says at each field what is missing or wrong, and keeps what was typed', async () => {
    const problems = {
      name: 'Enter a name for the connection.',
      baseUrl: 'The base URL must start with https://.',
      redirectUri: 'The redirect URL must not have a fragment.',
      caPem: 'The additional certificates field contains a private key.',
    };
    const create = () => {
      throw new AppError('INVALID_INPUT', 'Enter a name.', { field: 'name', problems });
    };
    openApp({ hash: '#/connections', stubs: { connections: { create } } });
    await button('New connection').click();
    await field('Base URL').fill('http://api.example.com');
    // The part that the user opened stays open when its only field is empty again.
    await page.getByText('Network: certificates and proxy').click();
    await field('Proxy').fill('x');
    await field('Proxy').clear();
    await expect.element(field('Proxy')).toHaveFocus();
    await page.getByText('Network: certificates and proxy').click();
    await button('Create').click();
    for (const words of Object.values(problems)) await expectShown(page.getByText(words));
    await expect.element(field('Base URL')).toHaveValue('http://api.example.com');
    await expect.element(field('Name')).toHaveFocus();
    await expectAccessible('a connection with wrong fields');
  });

  it('says step by step what works at a connection, and everything in the window changes over to it', async () => {
    const rome: SavedConnection = { ...sandbox, id: 'rome', kind: 'own', name: 'Rome', color: 'red' };
    const steps = (['address', 'token', 'weather', 'monitors', 'clock'] as const).map((step) => ({
      step,
      result: 'ok' as const,
      message: `The ${step} works.`,
      problem: null,
      tookMs: null,
    }));
    let selectedId = sandbox.id;
    const list = () => ({ connections: [sandbox, rome], selectedId });
    const { notify, stub } = openApp({
      hash: '#/connections',
      stubs: {
        connections: {
          list,
          test: () => ({ testedAt: new Date().toISOString(), steps }),
          select({ id }) {
            selectedId = id;
            stub({
              app: { status: () => ({ ...readyStatus, connection: { ...readyStatus.connection, name: 'Rome' } }) },
              monitors: { list: () => listOf([monitorOf('precipitation_77')]) },
            });
            notify({ topic: 'status' });
            return list();
          },
        },
      },
    });
    await button('Test Rome').click();
    const found = page.getByRole('region', { name: 'Rome' }).getByRole('listitem');
    const shown = () => found.elements().map(({ textContent }) => textContent);
    await expect
      .poll(shown)
      .toEqual(['URL', 'Token', 'Weather', 'Monitors', 'Clock'].map((step) => expect.stringMatching(`^${step}`)));
    await button('Use Rome').click();
    await expectShown(button('Connection: Rome, ready, production'));
    await page.getByRole('button', { name: /^Monitors/ }).click();
    await expectShown(page.getByText('precipitation_77').first());
  });

  it('explains why a public client cannot reach monitors, and leads to what helps', async () => {
    const phone: SavedConnection = {
      ...sandbox,
      id: 'phone',
      kind: 'own',
      name: 'Phone',
      isPublic: true,
      hasSecret: false,
    };
    openApp({
      hash: '#/monitors',
      stubs: {
        connections: { list: () => ({ connections: [sandbox, phone], selectedId: phone.id }) },
        monitors: {
          list() {
            const words = 'Monitors require a token from client credentials.';
            throw new AppError('UNAUTHORIZED_CLIENT', words, { needs: 'client_credentials' });
          },
        },
      },
    });
    const alert = page.getByRole('alert');
    await expectShown(alert.getByText(/Monitors require a token from client credentials/));
    await alert.getByRole('button', { name: 'Edit the connection…' }).click();
    await expectShown(page.getByRole('dialog', { name: 'Edit Phone' }));
    await expect.element(page.getByRole('switch', { name: /Public client/ })).toBeChecked();
  });

  it('imports a file, and says if it is none', async () => {
    openApp({
      hash: '#/connections',
      stubs: {
        connections: {
          import({ text }) {
            if (!text.includes('Rome')) throw new AppError('INVALID_INPUT', 'This is not a Rainbell connections file.');
            const refused = Array.from(
              { length: 7 },
              (_, index) => `Connection ${index + 2} of the file can’t be used.`,
            );
            return { names: ['Rome (2)'], refused };
          },
        },
      },
    });
    const choose = (text: string) =>
      userEvent.upload(
        page.getByLabelText('Connections file'),
        new File([text], 'team.json', { type: 'application/json' }),
      );
    await choose('{"values": []}');
    await expectShown(page.getByText('This is not a Rainbell connections file').first());
    await choose('{"connections": [{"name": "Rome"}]}');
    await expectShown(
      page.getByText(
        /^1 connection imported: Rome \(2\)\..* Connection 6 of the file can’t be used\. 2 more can’t be used\.$/,
      ),
    );
  });

  it('leaves the sandbox in place, and deletes another one only after asking', async () => {
    const rome: SavedConnection = { ...sandbox, id: 'rome', kind: 'own', name: 'Rome' };
    let connections = [sandbox, rome];
    const { notify } = openApp({
      hash: '#/connections',
      stubs: {
        connections: {
          list: () => ({ connections, selectedId: connections.at(-1)?.id ?? '' }),
          delete({ id }) {
            connections = connections.filter((one) => one.id !== id);
            notify({ topic: 'connections' });
            return {};
          },
        },
      },
    });
    await expectGone(button('Edit Sandbox'));
    await expectGone(button('Delete Sandbox'));
    await button('Delete Rome').click();
    await expectShown(page.getByText('All screens then use the sandbox.'));
    await button('Cancel').click();
    await expectShown(page.getByRole('heading', { name: 'Rome', exact: true }));
    expect(connections).toContain(rome);
    await button('Delete Rome').click();
    await button('Delete connection').click();
    await expectGone(page.getByRole('heading', { name: 'Rome', exact: true }));
  });

  it('opens the form with the URL and the client ID of a link, and saves them with the rest only by Create', async () => {
    const created: object[] = [];
    const create = (input: object) => {
      created.push(input);
      return { ...sandbox, id: 'rome', kind: 'own' as const };
    };
    openApp({
      hash: '#/connections/new?url=https%3A%2F%2Fapi.example.com&client=abc123',
      stubs: { connections: { create } },
    });
    await expectShown(page.getByRole('dialog', { name: 'New connection' }));
    await expect.element(field('Base URL')).toHaveValue('https://api.example.com');
    await expect.element(field('Client ID')).toHaveValue('abc123');
    expect(created).toEqual([]);
    await field('Name').fill('Rome');
    await field('Sign-in URL').fill('https://login.example.com');
    await field('Client secret').fill('secret2');
    await page.getByRole('combobox', { name: 'Color' }).selectOptions('red');
    await button('Create').click();
    const fields = { name: 'Rome', color: 'red', baseUrl: 'https://api.example.com', clientId: 'abc123' };
    await expect.poll(() => created).toMatchObject([{ ...fields, clientSecret: 'secret2' }]);
  });
});
