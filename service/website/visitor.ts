// Who looks at a page: the session of the browser, and the account behind it. The session cookie is named after the port,
// because browsers share cookies between the ports of 127.0.0.1.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/account-store.ts';
import { csrfToken, isCsrfToken, type Sessions } from '../accounts/sessions.ts';
import { newSecret, secretLength } from '../oauth/random-text.ts';
import type { Form } from '../oauth/form-body.ts';
import { type BannerId, isBannerId } from './feedback.ts';
import { FormError } from './form-error.ts';

export type Visitor = {
  sessionId: string;
  /** Goes into every form, as the field `csrf`. */
  csrf: string;
  account: Account | undefined;
};

export type Visitors = {
  /** Sets a session cookie where the browser has none yet, since every form needs one. */
  read(request: FastifyRequest, reply: FastifyReply): Promise<Visitor>;
  signIn(reply: FastifyReply, visitor: Visitor, account: Account): Promise<Visitor>;
  signOut(reply: FastifyReply, visitor: Visitor): Promise<Visitor>;
  /** Remembers a message for the page that is shown next. */
  leaveFeedback(reply: FastifyReply, feedback: BannerId): void;
  takeFeedback(request: FastifyRequest, reply: FastifyReply): BannerId | undefined;
};

export function createVisitors(sessions: Sessions, baseUrl: string): Visitors {
  const { port, protocol } = new URL(baseUrl);
  const sessionCookie = `rainbell_session_${port || protocol.slice(0, -1)}`;
  const feedbackCookie = `rainbell_feedback_${port || protocol.slice(0, -1)}`;
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: protocol === 'https:' } as const;

  function visit(reply: FastifyReply, sessionId: string, account: Account | undefined): Visitor {
    reply.setCookie(sessionCookie, sessionId, attributes);
    return { sessionId, csrf: csrfToken(sessionId), account };
  }

  return {
    async read(request, reply) {
      const sessionId = request.cookies[sessionCookie];
      if (sessionId === undefined || sessionId.length !== secretLength) return visit(reply, newSecret(), undefined);
      return { sessionId, csrf: csrfToken(sessionId), account: await sessions.find(sessionId) };
    },
    async signIn(reply, visitor, account) {
      return visit(reply, await sessions.begin(account.id, visitor.sessionId), account);
    },
    async signOut(reply, visitor) {
      await sessions.end(visitor.sessionId);
      return visit(reply, newSecret(), undefined);
    },
    leaveFeedback: (reply, feedback) => void reply.setCookie(feedbackCookie, feedback, { ...attributes, maxAge: 60 }),
    takeFeedback(request, reply) {
      const feedback = request.cookies[feedbackCookie];
      if (feedback === undefined) return undefined;
      reply.clearCookie(feedbackCookie, attributes);
      return isBannerId(feedback) ? feedback : undefined;
    },
  };
}

/** Throws where a form did not come from a page of ours in this browser. */
export function checkFormOrigin(request: FastifyRequest, visitor: Visitor, form: Form, ownOrigin: string): void {
  const { origin } = request.headers;
  const isOurs = origin === undefined || origin === ownOrigin || origin === `http://${request.headers.host ?? ''}`;
  const site = request.headers['sec-fetch-site'];
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (isOurs && isSameSite && isCsrfToken(visitor.sessionId, form.get('csrf') ?? '')) return;
  throw new FormError('form_corrupted');
}
