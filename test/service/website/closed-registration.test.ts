// RAINBELL_REGISTRATION: who may create an account on the website.
import { expect, test } from 'vitest';
import { type Config, configWith, isRegistrationOpen } from '#service/config/config.ts';
import { ann, createVisitor, startWebsite } from './website-service.ts';

const wide = { host: '0.0.0.0' };

test('registration is open, except on a public service that may send callbacks to private hosts', () => {
  const lan = { callbackAllowlist: ['10.0.0.0/8'] };
  const isOpen = (changes: Partial<Config>) => isRegistrationOpen(configWith(changes));
  expect([isOpen({}), isOpen(wide), isOpen(lan)]).toEqual([true, true, true]);
  for (const callbacks of [lan, { callbackLan: 'on' }, { callbackLan: 'anyone' }] as const) {
    expect(isOpen({ ...wide, ...callbacks })).toBe(false);
    expect(isOpen({ ...wide, ...callbacks, registration: 'open' })).toBe(true);
  }
  expect(isOpen({ registration: 'closed' })).toBe(false);
});

test('a closed website offers no registration, and refuses one', async () => {
  const service = await startWebsite({ registration: 'closed' });
  const visitor = createVisitor(service.baseUrl);
  for (const path of ['/', '/sign-in/', '/documentation/', '/plans/', '/none/']) {
    expect([path, (await visitor.get(path)).text.includes('/register/')]).toEqual([path, false]);
  }
  const page = await visitor.get('/register/');
  expect(page.status).toBe(403);
  expect(page.text).toContain('Registration is closed. Ask the operator of this service for an account.');
  const posted = await fetch(`${service.baseUrl}/register/`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: new URLSearchParams(ann),
  });
  expect(posted.status).toBe(403);
  expect(await service.oauth.accounts.findNamed('ann')).toBeUndefined();
});

test('an open one offers it', async () => {
  const visitor = createVisitor((await startWebsite()).baseUrl);
  for (const path of ['/', '/sign-in/', '/documentation/']) {
    expect([path, (await visitor.get(path)).text.includes('/register/')]).toEqual([path, true]);
  }
});
