// Common to all pages of the website and sign-in: accepts only our own Host values; nothing is framed, cached, or run; an error is
// a page with one sentence.
import cookie from '@fastify/cookie';
import { html } from '@remix-run/html-template';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { standardFormType } from '@rainbell/contract/service-api';
import { isPlannedRefusal, ServiceError } from '../../errors/service-error.ts';
import { type Form, readForm } from '../../oauth/form-body.ts';
import { bannerOf } from './feedback.ts';
import { FormError, SignInNeeded } from './form-error.ts';
import { page } from './page.ts';
import type { WebsiteDependencies } from '../website.ts';

export async function registerSite(
  server: FastifyInstance,
  needs: Pick<WebsiteDependencies, 'baseUrl' | 'log' | 'admission'>,
  routes: (scope: FastifyInstance) => void,
): Promise<void> {
  const isOwnHost = ownHosts(needs.baseUrl);
  await server.register(async (scope) => {
    await scope.register(cookie);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(standardFormType, { parseAs: 'string' }, (_request, body, done) => {
      try {
        done(null, readForm(body as string));
      } catch {
        done(new FormError('form_corrupted'));
      }
    });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(new FormError('form_corrupted')));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(pageHeaders);
      if (isOwnHost(request.headers.host ?? '')) return;
      throw new ServiceError('misdirected_request', 'This host name does not belong to this service.');
    });
    needs.admission?.guard(scope);
    scope.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply, needs.log));
    routes(scope);
  });
}

/** Users who follow a wrong link get a page; programs get the API's error. */
export function registerMissingPage(scope: FastifyInstance): void {
  scope.get('/*', (request, reply) => {
    const isForPeople =
      request.headers.accept?.includes('text/html') === true && !/^\/(v2|token|sandbox)\b/.test(request.url);
    if (!isForPeople) return reply.callNotFound();
    throw missingPage();
  });
}

export function missingPage(): ServiceError {
  const text = 'There is no page at this URL. The page may have moved, or the URL may contain a typo.';
  return new ServiceError('not_found', text);
}

const pageHeaders = {
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not "no-referrer": then Chromium sends "Origin: null" with our own forms.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

type PagePolicy = {
  /** Where a form's response may redirect, in addition to us; Chromium applies form-action to redirects too. */
  formTarget?: string | undefined;
  hasScript?: boolean | undefined;
};

export function sendPage(
  reply: FastifyReply,
  text: string,
  { formTarget, hasScript = false }: PagePolicy = {},
): FastifyReply {
  const formAction = formTarget === undefined ? "'self'" : `'self' ${formTarget}`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "img-src 'self' data:",
    "font-src 'self'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply.header('content-security-policy', policy.join('; ')).type('text/html; charset=utf-8').send(text);
}

export function formOf(request: FastifyRequest): Form {
  return request.body instanceof Map ? (request.body as Form) : readForm('');
}

/** Names must be our own, because of DNS rebinding; addresses cannot be rebound, so any is accepted. */
function ownHosts(baseUrl: string): (host: string) => boolean {
  const own = new URL(baseUrl);
  return (host) => {
    if (host === own.host) return true;
    if (!URL.canParse(`http://${host}`)) return false;
    const { hostname } = new URL(`http://${host}`);
    return hostname === 'localhost' || /^\[.*\]$|^\d+(\.\d+){3}$/.test(hostname);
  };
}

function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: WebsiteDependencies['log'],
): FastifyReply {
  if (error instanceof SignInNeeded) {
    const backTo = request.method === 'GET' ? `?to=${encodeURIComponent(request.url)}` : '';
    return reply.redirect(`/sign-in/${backTo}`, 303);
  }
  if (error instanceof FormError) {
    reply.code(error.feedback === 'form_corrupted' ? 403 : 422);
    return sendPage(reply, errorPage('Request failed', bannerOf(error.feedback).text, error));
  }
  const refusal = error instanceof ServiceError ? error : undefined;
  const status = refusal?.status ?? clientStatus(error) ?? 500;
  if (status >= 500 && !isPlannedRefusal(error))
    log.error({ err: error, route: request.routeOptions.url }, 'page failed');
  reply.code(status).headers(refusal?.headers ?? {});
  const words = status >= 500 && !refusal ? 'The service failed to handle this request. Try again later.' : undefined;
  return sendPage(
    reply,
    errorPage(titles[status] ?? 'Request failed', words ?? refusal?.message ?? 'The request is not valid.'),
  );
}

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  421: 'Wrong host name',
  429: 'Too many attempts',
  500: 'Service error',
  503: 'Service busy',
};

function clientStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' && error.statusCode < 500 ? error.statusCode : undefined;
}

function errorPage(title: string, words: string, error?: FormError): string {
  const content = html`<section class="card center">
    <h1>${title}</h1>
    <p>${words}</p>
    ${error?.feedback === 'form_corrupted' ? html`<p class="muted">Go back, reload the page, and submit the form again.</p>` : ''}
    <p><a class="button" href="/">Go to the home page</a></p>
  </section>`;
  return page({ title, content, width: 'narrow', feedback: error?.feedback });
}
