// The dialog that asks whether an agent may change something. What happens then: test/core/agents/consents.test.ts.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConsentRequest } from '#contract/app-rpc/agents.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

it('shows exactly what will happen on any screen, and Deny, Escape, and Allow count', async () => {
  const request = (id: string): ConsentRequest => ({
    id,
    agent: 'Probe <b>',
    title: 'Replay a callback',
    facts: [
      ['Callback', 'POST /hooks/a, 10 bytes'],
      ['To', 'this app’s receiver'],
    ],
    until: new Date(Date.now() + 60_000).toISOString(),
  });
  let consents = ['denied', 'escaped', 'allowed'].map(request);
  const decided: object[] = [];
  const { notify } = openApp({
    hash: '#/traffic',
    stubs: {
      agents: {
        consents: () => ({ consents }),
        decide(decision) {
          decided.push(decision);
          consents = consents.slice(1);
          notify({ topic: 'consents' });
          return {};
        },
      },
    },
  });
  await expectShown(page.getByRole('heading', { name: 'No traffic yet' }));
  notify({ topic: 'consents' });
  const dialog = page.getByRole('dialog', { name: 'Allow this agent action: Replay a callback?' });
  for (const words of ['Probe <b>', 'POST /hooks/a, 10 bytes', 'this app’s receiver', /2 more waiting\.$/])
    await expectShown(dialog.getByText(words));
  await expectAccessible('the consent to an agent');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await expectShown(dialog.getByText(/1 more waiting\.$/));
  await expect.element(dialog.getByRole('button', { name: 'Deny' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expectGone(dialog.getByText(/more waiting/));
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  await expectGone(dialog);
  expect(decided).toEqual([
    { id: 'denied', isAllowed: false },
    { id: 'escaped', isAllowed: false },
    { id: 'allowed', isAllowed: true },
  ]);
});
