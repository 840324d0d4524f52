// The authorization dialog in the browser (§4.1): `GET /oauth/authorize/` and the forms of its pages. Each form leads on
// by 303, so that nothing is sent twice by a reload.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account, AccountStore } from '../accounts/account-store.ts';
import type { Application, ApplicationStore } from '../accounts/application-store.ts';
import type { AttemptGuard } from '../accounts/throttle.ts';
import { comparable } from '../accounts/account-store.ts';
import { ServiceError } from '../http/service-error.ts';
import { formOf, sendPage } from '../website/site.ts';
import { checkFormOrigin, type Visitor, type Visitors } from '../website/visitor.ts';
import { consentPage, signInPage } from './dialog-pages.ts';
import { readDialogRequest } from './dialog-request.ts';
import type { Dialog, DialogStore } from './dialog-store.ts';
import { formTarget, redirectAnswer } from './redirect-answer.ts';
import { storedScope } from './scope.ts';
import type { TokenStore } from './token-store.ts';

export type DialogNeeds = {
  applications: ApplicationStore;
  accounts: Pick<AccountStore, 'signIn'>;
  dialogs: DialogStore;
  tokens: TokenStore;
  visitors: Visitors;
  signInGuard: AttemptGuard;
  baseUrl: string;
};

/** A form of the dialog that was checked: whose browser, which dialog, for which application. */
type Step = { visitor: Visitor; dialog: Dialog; application: Application; requestId: string };

/** `scope` is one of `registerSite`. */
export function registerDialogRoutes(scope: FastifyInstance, needs: DialogNeeds): void {
  const { applications, dialogs, visitors } = needs;

  scope.get('/oauth/authorize', async (request, reply) => {
    const reading = await readDialogRequest(rawQuery(request), applications);
    if (reading.kind === 'refused') return reply.redirect(reading.location, 302);
    const visitor = await visitors.read(request, reply);
    const requestId = await dialogs.open(visitor.sessionId, reading.request);
    return showNext(reply, await stepOf(needs, visitor, requestId));
  });

  scope.get<{ Querystring: { request?: string } }>('/oauth/authorize/consent', async (request, reply) => {
    const visitor = await visitors.read(request, reply);
    return showNext(reply, await stepOf(needs, visitor, String(request.query.request ?? '')));
  });

  scope.post('/oauth/authorize/sign-in', async (request, reply) => {
    const step = await postedStep(needs, request, reply);
    const username = formOf(request).get('username');
    const account = await signIn(needs, request);
    if (account === 'missing') return showSignIn(reply.code(422), step, 'credentials_missing', username);
    if (account === 'wrong') return showSignIn(reply.code(422), step, 'credentials_wrong', username);
    const visitor = await visitors.signIn(reply, step.visitor, account);
    await dialogs.move(step.requestId, step.visitor.sessionId, visitor.sessionId);
    return reply.redirect(consentPath(step), 303);
  });

  scope.post('/oauth/authorize/switch', async (request, reply) => {
    const step = await postedStep(needs, request, reply);
    const visitor = await visitors.signOut(reply, step.visitor);
    await dialogs.move(step.requestId, step.visitor.sessionId, visitor.sessionId);
    return reply.redirect(consentPath(step), 303);
  });

  scope.post('/oauth/authorize/decision', async (request, reply) => {
    const step = await postedStep(needs, request, reply);
    const decision = formOf(request).get('decision');
    if (decision === 'deny') return finish(needs, reply, step, () => Promise.resolve(denied));
    const { account } = step.visitor;
    if (decision !== 'approve' || !account) return showNext(reply, step);
    return finish(needs, reply, step, () => approve(needs, step, account));
  });
}

const denied = { error: 'access_denied', error_description: 'The user denied access.' };

function rawQuery(request: FastifyRequest): string {
  const { url } = request.raw;
  const start = url?.indexOf('?') ?? -1;
  return url === undefined || start < 0 ? '' : url.slice(start + 1);
}

const consentPath = ({ requestId }: Step) => `/oauth/authorize/consent/?request=${requestId}`;

async function stepOf({ applications, dialogs }: DialogNeeds, visitor: Visitor, requestId: string): Promise<Step> {
  const dialog = await dialogs.find(requestId, visitor.sessionId);
  const application = dialog && (await applications.findActive(dialog.client_id));
  if (dialog && application) return { visitor, dialog, application, requestId };
  throw new ServiceError(
    'invalid_request',
    'This dialog is over: it was answered already, or it is too old, or your browser keeps no cookies. ' +
      'Go back to the application and start again.',
  );
}

async function postedStep(needs: DialogNeeds, request: FastifyRequest, reply: FastifyReply): Promise<Step> {
  const visitor = await needs.visitors.read(request, reply);
  const form = formOf(request);
  checkFormOrigin(request, visitor, form, new URL(needs.baseUrl).origin);
  return stepOf(needs, visitor, form.get('request') ?? '');
}

function showNext(reply: FastifyReply, step: Step): FastifyReply {
  const { account } = step.visitor;
  if (!account) return showSignIn(reply, step);
  const text = consentPage({ ...step, csrf: step.visitor.csrf }, account);
  return sendPage(reply, text, formTarget(step.dialog.redirect_uri));
}

function showSignIn(
  reply: FastifyReply,
  step: Step,
  feedback?: 'credentials_missing' | 'credentials_wrong',
  username?: string,
): FastifyReply {
  const text = signInPage({ ...step, csrf: step.visitor.csrf }, feedback, username);
  return sendPage(reply, text, formTarget(step.dialog.redirect_uri));
}

async function signIn(
  { accounts, signInGuard }: DialogNeeds,
  request: FastifyRequest,
): Promise<Account | 'missing' | 'wrong'> {
  const form = formOf(request);
  const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? ''];
  if (username === '' || password === '') return 'missing';
  const name = comparable(username);
  signInGuard.check(request.ip, name);
  const account = await accounts.signIn(username, password);
  if (account) signInGuard.succeeded(request.ip, name);
  else signInGuard.failed(request.ip, name);
  return account ?? 'wrong';
}

async function approve(
  { tokens }: DialogNeeds,
  { dialog, application }: Step,
  account: Account,
): Promise<Record<string, string>> {
  const scope = storedScope(dialog.scope);
  const kind = dialog.response_type === 'token' ? 'implicit' : 'authorization_code';
  const grant = await tokens.createGrant({ applicationId: application.id, accountId: account.id, kind, scope });
  if (kind === 'authorization_code') {
    return { code: await tokens.issueCode(grant, dialog.redirect_uri, dialog.code_challenge) };
  }
  return {
    access_token: await tokens.issueAccessToken(grant, scope),
    expires_in: String(tokens.lifetimes.accessTokenSeconds),
    token_type: 'bearer',
    scope: dialog.scope,
  };
}

/** The dialog ends first, so a second click cannot have a second answer. */
async function finish(
  { dialogs }: DialogNeeds,
  reply: FastifyReply,
  step: Step,
  answer: () => Promise<Record<string, string>>,
): Promise<FastifyReply> {
  const { dialog } = step;
  if (!(await dialogs.finish(dialog))) throw new ServiceError('invalid_request', 'This dialog was answered already.');
  const place = {
    redirectUri: dialog.redirect_uri,
    responseType: dialog.response_type,
    rawState: dialog.raw_state,
  };
  return reply.redirect(redirectAnswer(place, await answer()), 303);
}
