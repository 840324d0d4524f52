// The visitor of a page: the browser's session and its account. A cookie exists only after a sign-in, because browsers send it to every
// port of 127.0.0.1; for the same reason, its name ends with the port. Under https they start with __Host-, so that no other host of the domain can set one (RFC 6265bis
// §4.1.3.2).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account-store.ts';
import { csrfToken, isCsrfToken, isSessionId, newSessionId, type Sessions } from '../../accounts/sessions.ts';
import type { Form } from '../../oauth/form-body.ts';
import { type BannerId, isBannerId } from './feedback.ts';
import { FormError } from './form-error.ts';

export type Visitor = {
  sessionId: string;
  /** Included in every form, as the field `csrf`. */
  csrf: string;
  account: Account | undefined;
};

export type Visitors = ReturnType<typeof createVisitors>;

/** Their forms are protected by the browser's Origin and Sec-Fetch-Site headers only: they act for no account. */
const anonymous: Visitor = { sessionId: '', csrf: csrfToken(''), account: undefined };

export function createVisitors(sessions: Sessions, baseUrl: string, signingKey: Buffer) {
  const { port, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const nameOf = (name: string) => `${isSecure ? '__Host-' : ''}rainbell_${name}_${port || protocol.slice(0, -1)}`;
  const sessionCookie = nameOf('session');
  const feedbackCookie = nameOf('feedback');
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;

  return {
    /** Sets no cookie and stores nothing. */
    async read(request: FastifyRequest): Promise<Visitor> {
      const sessionId = request.cookies[sessionCookie];
      if (sessionId === undefined || !isSessionId(signingKey, sessionId)) return anonymous;
      return { sessionId, csrf: csrfToken(sessionId), account: await sessions.find(sessionId) };
    },
    async signIn(reply: FastifyReply, visitor: Visitor, account: Account): Promise<Visitor> {
      const sessionId = newSessionId(signingKey);
      await sessions.begin(account.id, sessionId, visitor.sessionId);
      reply.setCookie(sessionCookie, sessionId, attributes);
      return { sessionId, csrf: csrfToken(sessionId), account };
    },
    async signOut(reply: FastifyReply, visitor: Visitor): Promise<Visitor> {
      if (visitor.account) await sessions.end(visitor.sessionId);
      reply.clearCookie(sessionCookie, attributes);
      return anonymous;
    },
    leaveFeedback: (reply: FastifyReply, feedback: BannerId) =>
      void reply.setCookie(feedbackCookie, feedback, { ...attributes, maxAge: 60 }),
    takeFeedback(request: FastifyRequest, reply: FastifyReply): BannerId | undefined {
      const feedback = request.cookies[feedbackCookie];
      if (feedback === undefined) return undefined;
      reply.clearCookie(feedbackCookie, attributes);
      return isBannerId(feedback) ? feedback : undefined;
    },
  };
}

/** Throws if a form did not come from our page in this browser. */
export function checkFormOrigin(request: FastifyRequest, visitor: Visitor, form: Form, ownOrigin: string): void {
  const { origin } = request.headers;
  const isOurs = origin === undefined || origin === ownOrigin || origin === `http://${request.headers.host ?? ''}`;
  const site = request.headers['sec-fetch-site'];
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none';
  if (isOurs && isSameSite && isCsrfToken(visitor.sessionId, form.get('csrf') ?? '')) return;
  throw new FormError('form_corrupted');
}
