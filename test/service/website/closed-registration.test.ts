// RAINBELL_REGISTRATION: who may create an account on the website.
import { expect, test } from 'vitest';
import { type Config, configWith, isRegistrationOpen } from '#service/config/config.ts';
import { ann, applicationPath, createVisitor, register, startWebsite } from './website-service.ts';

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

test.each(['open', 'closed'] as const)(
  'a website whose registration is %s offers it only if it is open',
  async (registration) => {
    const visitor = createVisitor((await startWebsite({ registration })).baseUrl);
    for (const path of ['/', '/sign-in/', '/documentation/', '/plans/']) {
      expect([path, (await visitor.get(path)).text.includes('/register/')]).toEqual([path, registration === 'open']);
    }
  },
);

test('a closed website refuses a registration', async () => {
  const service = await startWebsite({ registration: 'closed' });
  const visitor = createVisitor(service.baseUrl);
  expect((await visitor.get('/none/')).text).not.toContain('/register/');
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

test('an account that names an application gets it with the chosen plan', async () => {
  const { baseUrl } = await startWebsite();
  const visitor = createVisitor(baseUrl);
  const page = await register(visitor, { ...ann, name: 'Umbrella', plan: 'storm', terms: 'yes' });
  const { text } = await visitor.get(applicationPath(page));
  expect(text).toContain('Umbrella');
  expect(text).toContain('Storm');
  expect(text).not.toContain('Drizzle');
});
