// A link from a service's website to the form of a new connection.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectShown, openApp } from '../open-app.ts';

it('a link opens the form of a new connection with its URL and client ID, and saves nothing', async () => {
  openApp({ hash: '#/connections/new?url=https%3A%2F%2Fapi.example.com&client=abc123' });
  await expectShown(page.getByRole('dialog', { name: 'New connection' }));
  await expect.element(page.getByRole('textbox', { name: 'Base URL' })).toHaveValue('https://api.example.com');
  await expect.element(page.getByRole('textbox', { name: 'Client ID' })).toHaveValue('abc123');
  await expect.element(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue('');
});
