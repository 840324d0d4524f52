// The form of a connection, and its end.
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { SavedConnection } from '#contract/app-rpc/connections.ts';
import { expectGone, expectShown, openApp, sandbox } from '../open-app.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

describe('the connections screen', () => {
  it('stops what is missing or wrong in the form, with words per field, and saves nothing', async () => {
    openApp({ hash: '#/connections' });
    await expectShown(page.getByRole('heading', { name: 'Only the sandbox so far' }));
    await button('New connection').click();
    await field('Base URL').fill('http://api.example.com');
    await field('Redirect URL').fill('https://app.example.com/done#part');
    await page.getByText('Network: certificates and proxy').click();
    await page.getByLabelText('Additional trusted certificates').fill('-----BEGIN PRIVATE KEY-----');
    await button('Create').click();
    for (const words of [
      'Enter a name for the connection.',
      'http:// works only for this computer.',
      'such as https://login.example.com.',
      'Enter the client ID shown for your application',
      'Paste the application’s secret',
      'Remove the fragment',
      'This is a private key',
    ])
      await expectShown(page.getByText(words));
  });

  it('leaves the sandbox in place, and deletes another one only after asking', async () => {
    const rome: SavedConnection = { ...sandbox, id: 'rome', kind: 'own', name: 'Rome' };
    let connections = [sandbox, rome];
    const { notify } = openApp({
      hash: '#/connections',
      stubs: {
        connections: {
          list: () => ({ connections, selectedId: sandbox.id }),
          delete({ id }) {
            connections = connections.filter((one) => one.id !== id);
            notify({ topic: 'connections' });
            return {};
          },
        },
      },
    });
    await button('Edit Sandbox').click();
    await expectShown(page.getByText('come from the service on this computer'));
    await expectGone(field('Base URL'));
    await button('Cancel').click();
    await expectGone(button('Delete Sandbox'));
    await button('Delete Rome').click();
    await button('Cancel').click();
    await expectShown(page.getByRole('heading', { name: 'Rome', exact: true }));
    expect(connections).toContain(rome);
    await button('Delete Rome').click();
    await button('Delete connection').click();
    await expectGone(page.getByRole('heading', { name: 'Rome', exact: true }));
  });
});
