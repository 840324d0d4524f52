// Email addresses are confirmed by links that come over a real SMTP server; without one, the forms work as they did.
import { describe, expect, test } from 'vitest';
import { basic, postToken } from '#test/service/oauth/oauth-service.ts';
import { linkIn, mailTo, startMailServer } from './mail-server.ts';
import {
  ann,
  bob,
  createApplication,
  createVisitor,
  feedbackOf,
  register,
  startWebsite,
  type Visitor,
} from './website-service.ts';

async function startWithMail() {
  const mailServer = await startMailServer();
  const service = await startWebsite({ smtpUrl: mailServer.url });
  const visitor = createVisitor(service.baseUrl);
  const linkTo = async (address: string, count = 1) =>
    linkIn(await mailTo(mailServer, address, count), service.baseUrl);
  /** Opens a mailed link and presses its button. */
  const follow = (one: Visitor, link: string, values = {}) => one.send(link, values, `${link.split('?')[0] ?? ''}`);
  const signIn = async (username: string, password: string) => {
    const page = await createVisitor(service.baseUrl).send('/sign-in/', { username, password });
    return page.status === 200 ? 'signed in' : feedbackOf(page)[0];
  };
  /** An account whose address is confirmed already. */
  const confirmed = async (account = bob) => service.oauth.accounts.create(account);
  return { ...service, mailServer, visitor, linkTo, follow, signIn, confirmed };
}

const withoutTokens = (text: string) => text.replaceAll(/value="[^"]*"/g, '');

describe('registration with a mail server', () => {
  test('lets an account sign in by its address and create applications once the mailed link is confirmed', async () => {
    const { baseUrl, linkTo, follow, signIn } = await startWithMail();
    // The link has the configured address nevertheless.
    const visitor = createVisitor(baseUrl.replace('127.0.0.1', 'localhost'));
    const page = await register(visitor);
    expect(feedbackOf(page)).toEqual(['email_link_sent']);
    expect(page.text).toContain('Confirm your email address first');
    expect((await visitor.get('/applications/new/')).text).toContain('Confirm your email address first');
    expect(await signIn(ann.email, ann.password)).toBe('credentials_wrong');
    expect(await signIn(ann.username, ann.password)).toBe('signed in');
    const link = await linkTo(ann.email);
    // A mail program that opens links confirms nothing.
    await visitor.get(link);
    expect(await signIn(ann.email, ann.password)).toBe('credentials_wrong');
    expect(feedbackOf(await follow(visitor, link))).toEqual(['email_confirmed']);
    expect(await signIn(ann.email, ann.password)).toBe('signed in');
    expect(feedbackOf(await createApplication(visitor))).toEqual(['app_created']);
  });

  test('shows the same pages for an address that is taken, and mails its owner', async () => {
    const { baseUrl, visitor, confirmed, mailServer, linkTo, follow } = await startWithMail();
    await confirmed();
    const free = await register(visitor);
    const thief = createVisitor(baseUrl);
    const taken = await register(thief, { ...bob, username: 'zoe' });
    const alike = (text: string) => withoutTokens(text).replaceAll(/(bob|ann)@example\.org|zoe|ann/g, '*');
    expect(alike(taken.text)).toBe(alike(free.text));
    expect((await visitor.get('/account/')).text).not.toContain('working again. This');
    for (const path of ['/account/', '/applications/', '/applications/new/']) {
      expect(alike((await thief.get(path)).text)).toBe(alike((await visitor.get(path)).text));
    }
    expect(await mailTo(mailServer, bob.email)).toContain('it already belongs to your account');
    // Only the reader of that address's mail learns it.
    const opened = await thief.get(await linkTo(bob.email));
    expect(opened.text).toContain('Email already taken');
    const link = await linkTo(bob.email);
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
    const csrf = /name="csrf" value="([^"]*)"/.exec((await thief.get('/account/')).text)?.[1] ?? '';
    const forced = await thief.submitOnly(opened, '/confirm-email/', { csrf, token });
    expect(feedbackOf(forced)).toEqual(['email_taken']);
    await follow(visitor, await linkTo(ann.email));
  });

  test('uses a link once, for 24 hours, and answers neither Referer nor caches with it', async () => {
    const { clock, visitor, linkTo, follow } = await startWithMail();
    await register(visitor);
    const first = await linkTo(ann.email);
    const page = await visitor.get(first);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    clock.advance(24 * 3_600);
    expect((await visitor.get(first)).status).toBe(404);
    await visitor.send('/account/', {}, '/account/confirmation/');
    const second = await linkTo(ann.email, 2);
    expect(feedbackOf(await follow(visitor, second))).toEqual(['email_confirmed']);
    expect((await visitor.get(second)).status).toBe(404);
  });
});

describe('a changed email address', () => {
  test('needs the password and the link in the new mailbox, and the old one is notified', async () => {
    const { baseUrl, visitor, confirmed, mailServer, linkTo, follow, signIn } = await startWithMail();
    await confirmed();
    await visitor.send('/sign-in/', bob);
    const change = { email: 'robert@example.org' };
    expect(feedbackOf(await visitor.send('/account/', change))).toEqual(['credentials_missing']);
    expect(feedbackOf(await visitor.send('/account/', { ...change, password: 'wrong' }))).toEqual([
      'credentials_wrong',
    ]);
    const asked = await visitor.send('/account/', { ...change, password: bob.password });
    expect(feedbackOf(asked)).toEqual(['email_link_sent']);
    expect(asked.text).toContain('robert@example.org');
    expect(await mailTo(mailServer, bob.email)).toContain('asked to change its email address to robert@example.org');
    expect(await signIn('robert@example.org', bob.password)).toBe('credentials_wrong');
    await follow(createVisitor(baseUrl), await linkTo('robert@example.org'));
    expect(await mailTo(mailServer, bob.email, 2)).toContain('now uses the email address robert@example.org');
    expect(await signIn('robert@example.org', bob.password)).toBe('signed in');
    expect(await signIn(bob.email, bob.password)).toBe('credentials_wrong');
  });

  test('is canceled by entering the current address, and an earlier link then changes nothing', async () => {
    const { visitor, confirmed, linkTo, mailServer } = await startWithMail();
    await confirmed();
    await confirmed(ann);
    await visitor.send('/sign-in/', bob);
    await visitor.send('/account/', { email: 'robert@example.org', password: bob.password });
    const link = await linkTo('robert@example.org');
    const canceled = await visitor.send('/account/', { email: bob.email, password: bob.password });
    expect(feedbackOf(canceled)).toEqual(['email_change_canceled']);
    expect((await visitor.send(link, {}, '/confirm-email/')).status).toBe(409);
    expect((await visitor.get('/account/')).text).toContain(bob.email);
    // One that is taken shows the same page as a free one.
    const taken = await visitor.send('/account/', { email: ann.email, password: bob.password });
    expect(feedbackOf(taken)).toEqual(['email_link_sent']);
    expect(await mailTo(mailServer, ann.email)).toContain('it already belongs to your account');
  });
});

describe('a forgotten password', () => {
  test('is replaced by a mailed link, which ends sessions and refresh tokens', async () => {
    const { baseUrl, visitor, confirmed, linkTo, follow, mailServer, signIn, sandbox } = await startWithMail();
    await confirmed();
    await visitor.send('/sign-in/', bob);
    const authorization = basic(sandbox.clientId, sandbox.clientSecret);
    const { answer } = await postToken(
      { baseUrl },
      { grant_type: 'password', username: bob.username, password: bob.password },
      { authorization },
    );
    const refresh = { grant_type: 'refresh_token', refresh_token: String(answer['refresh_token']) };
    expect((await postToken({ baseUrl }, refresh, { authorization })).status).toBe(200);

    const stranger = createVisitor(baseUrl);
    const asked = await stranger.send('/forgot-password/', { username: bob.email });
    expect(feedbackOf(asked)).toEqual(['reset_link_sent']);
    const link = await linkTo(bob.email);
    const short = await follow(stranger, link, { new_password: 'short' });
    expect(feedbackOf(short)).toEqual(['data_problem']);
    const changed = await follow(stranger, link, { new_password: 'a new long password' });
    expect(feedbackOf(changed)).toEqual(['password_reset']);

    expect(await signIn(bob.username, bob.password)).toBe('credentials_wrong');
    expect(await signIn(bob.username, 'a new long password')).toBe('signed in');
    expect((await visitor.get('/account/')).text).toContain('<h1>Sign in</h1>');
    expect((await postToken({ baseUrl }, refresh, { authorization })).answer['error']).toBe('invalid_grant');
    expect(await mailTo(mailServer, bob.email, 2)).toContain('was changed');
    expect((await stranger.get(link)).status).toBe(404);
  });

  test('gets the same page whether or not there is such an account, and only a confirmed address gets a link', async () => {
    const { baseUrl, visitor, confirmed, mailServer, clock } = await startWithMail();
    await confirmed();
    await register(visitor);
    await mailTo(mailServer, ann.email);
    const pages = new Set<string>();
    for (const username of ['bob', 'nobody', 'nobody@example.org', ann.email, ann.username]) {
      const page = await createVisitor(baseUrl).send('/forgot-password/', { username });
      expect(page.status).toBe(200);
      pages.add(withoutTokens(page.text));
    }
    expect(pages.size).toBe(1);
    await mailTo(mailServer, bob.email);
    // Earlier requests are done when a later email has arrived.
    clock.advance(3_600);
    await createVisitor(baseUrl).send('/forgot-password/', { username: 'bob' });
    await mailTo(mailServer, bob.email, 2);
    expect(mailServer.received.map((mail) => mail.to[0])).toEqual([ann.email, bob.email, bob.email]);
  });

  test('ends the other links of the account when one is used, and each works for an hour', async () => {
    const { visitor, confirmed, linkTo, follow, clock } = await startWithMail();
    await confirmed();
    await visitor.send('/forgot-password/', { username: 'bob' });
    const late = await linkTo(bob.email);
    clock.advance(3_600);
    expect((await visitor.get(late)).status).toBe(404);
    for (let count = 0; count < 2; count += 1) await visitor.send('/forgot-password/', { username: 'bob' });
    const [one, other] = [await linkTo(bob.email, 2), await linkTo(bob.email, 3)];
    await follow(visitor, one, { new_password: 'a new long password' });
    expect((await visitor.get(other)).status).toBe(404);
  });

  test('is no longer reset by a link that was mailed before it was changed otherwise', async () => {
    const { visitor, confirmed, linkTo } = await startWithMail();
    await confirmed();
    await visitor.send('/sign-in/', bob);
    await visitor.send('/forgot-password/', { username: 'bob' });
    const link = await linkTo(bob.email);
    expect((await visitor.get(link)).status).toBe(200);
    const change = { current_password: bob.password, new_password: 'a new long password' };
    expect(feedbackOf(await visitor.send('/account/', change, '/account/password/'))).toEqual(['password_changed']);
    expect((await visitor.get(link)).status).toBe(404);
  });
});

describe('without a mail server', () => {
  test('an account signs in by its address at once, and the forms say which addresses are taken, ten times', async () => {
    const { baseUrl } = await startWebsite();
    const visitor = createVisitor(baseUrl);
    await register(visitor);
    const page = await createVisitor(baseUrl).send('/sign-in/', { username: ann.email, password: ann.password });
    expect(page.status).toBe(200);
    expect((await visitor.get('/forgot-password/')).text).toContain('Ask the operator');
    expect((await visitor.get('/account/')).text).toContain('working again. This service doesn');
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const answer = await register(createVisitor(baseUrl), { ...ann, username: `ann-${count}` });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    // Others at that address are not held up.
    expect((await register(createVisitor(baseUrl), bob)).status).toBe(200);
    // Another address needs only the password.
    const change = { email: 'anna@example.org' };
    expect(feedbackOf(await visitor.send('/account/', change))).toEqual(['credentials_missing']);
    const changed = await visitor.send('/account/', { ...change, password: ann.password });
    expect(feedbackOf(changed)).toEqual(['email_changed']);
  });
});
