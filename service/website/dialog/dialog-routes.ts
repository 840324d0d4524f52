// The authorization pages (docs/interface.md §4.1): `GET /oauth/authorize/` and its forms. Opening it writes nothing; the forms
// carry the request (pending-request.ts), and each step parses and checks it again. Each form redirects with 303, so that a reload
// sends nothing twice.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account-store.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { WarningId } from '../layout/feedback.ts';
import { FormError } from '../layout/form-error.ts';
import { signInByForm } from '../layout/sign-in-form.ts';
import { formOf, sendPage } from '../layout/site.ts';
import { checkFormOrigin } from '../layout/visitor.ts';
import { consentPage, type Shown, signInPage } from './dialog-pages.ts';
import { formTarget, percentEncoded, readDialogRequest, redirectResponse } from './dialog-request.ts';
import type { PendingRequest, PendingRequests } from '../../oauth/pending-request.ts';
import type { Website } from '../website.ts';

type Dependencies = Pick<Website, 'applications' | 'tokens' | 'visitors' | 'signIn' | 'baseUrl'> & {
  requests: PendingRequests;
};

type Step = Shown & { pending: PendingRequest };

/** `scope` is one of `registerSite`. */
export function registerDialogRoutes(scope: FastifyInstance, dependencies: Dependencies): void {
  const { requests, visitors } = dependencies;

  scope.get('/oauth/authorize', async (request, reply) => {
    const query = queryOf(request);
    const reading = await readDialogRequest(query, dependencies);
    if (reading.kind === 'refused') return reply.redirect(reading.location, 302);
    const visitor = await visitors.read(request);
    const token = requests.issue(query, visitor.sessionId);
    return showNext(reply, { visitor, request: reading.request, token });
  });

  scope.post('/oauth/authorize/sign-in', async (request, reply) => {
    const step = await postedStep(dependencies, request);
    try {
      await visitors.signIn(reply, step.visitor, await signInByForm(dependencies.signIn, request));
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      return showSignIn(reply.code(422), step, error.feedback, formOf(request).get('username'));
    }
    return reply.redirect(addressOf(step.pending), 303);
  });

  scope.post('/oauth/authorize/switch', async (request, reply) => {
    const step = await postedStep(dependencies, request);
    await visitors.signOut(reply, step.visitor);
    return reply.redirect(addressOf(step.pending), 303);
  });

  scope.post('/oauth/authorize/decision', async (request, reply) => {
    const step = await postedStep(dependencies, request);
    const decision = formOf(request).get('decision');
    if (decision === 'deny') return reply.redirect(redirectResponse(step.request, denied), 303);
    const { account } = step.visitor;
    if (decision !== 'approve' || !account) return showNext(reply, step);
    return reply.redirect(redirectResponse(step.request, await approve(dependencies, step, account)), 303);
  });
}

const denied = { error: 'access_denied', error_description: 'The user denied access.' };

/** Node decodes the bytes of a URL as Latin-1; encoding makes them valid in a header again. */
function queryOf(request: FastifyRequest): string {
  const { url = '' } = request.raw;
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1).replaceAll(/[^\x21-\x7E]/g, percentEncoded);
}

/** Where the sign-in continues after a form: at the same URL, in the new session. */
const addressOf = ({ query }: PendingRequest) => `/oauth/authorize/?${query}`;

async function postedStep(dependencies: Dependencies, posted: FastifyRequest): Promise<Step> {
  const { baseUrl, requests, tokens, visitors } = dependencies;
  const visitor = await visitors.read(posted);
  const form = formOf(posted);
  checkFormOrigin(posted, visitor, form, new URL(baseUrl).origin);
  const token = form.get('request') ?? '';
  const pending = requests.read(token, visitor.sessionId);
  if (!pending || (await tokens.wasAllowed(pending.id))) throw isOver();
  const reading = await readDialogRequest(pending.query, dependencies);
  // The application was changed while the page was open.
  if (reading.kind === 'refused') throw isOver();
  return { visitor, pending, token, request: reading.request };
}

function isOver(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'This sign-in page is no longer valid: it has already been used, it is older than 30 minutes, or your browser ' +
      'blocks cookies. Go back to the application and start again.',
  );
}

function showNext(reply: FastifyReply, shown: Shown): FastifyReply {
  const { account } = shown.visitor;
  if (!account) return showSignIn(reply, shown);
  return sendPage(reply, consentPage(shown, account), { formTarget: formTarget(shown.request.redirectUri) });
}

function showSignIn(reply: FastifyReply, shown: Shown, feedback?: WarningId, username?: string): FastifyReply {
  const text = signInPage(shown, feedback, username);
  return sendPage(reply, text, { formTarget: formTarget(shown.request.redirectUri) });
}

/** All in one transaction: of several uses of one form, one succeeds. */
async function approve(
  { tokens }: Dependencies,
  { request, pending }: Step,
  account: Account,
): Promise<Record<string, string>> {
  const { application, scope, responseType, redirectUri, codeChallenge } = request;
  const kind = responseType === 'token' ? 'implicit' : 'authorization_code';
  const answer = await tokens.atOnce(async (own): Promise<Record<string, string> | undefined> => {
    if (!(await own.recordAllowed(pending))) return undefined;
    const grant = await own.createGrant({ applicationId: application.id, accountId: account.id, kind, scope });
    if (kind === 'authorization_code') return { code: await own.issueCode(grant, redirectUri, codeChallenge) };
    return {
      access_token: await own.issueAccessToken(grant, scope),
      expires_in: String(tokens.lifetimes.accessTokenSeconds),
      token_type: 'bearer',
      scope: scope.join(' '),
    };
  });
  if (answer) return answer;
  throw isOver();
}
