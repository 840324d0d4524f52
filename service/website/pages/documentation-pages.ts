// The documentation: an introduction, then every operation with a form to try it. The forms work without scripts: the service sends
// the request, with a token of one of the visitor's applications that ends right after.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FastifyInstance } from 'fastify';
import type { Application, ApplicationStore } from '../../accounts/application-store.ts';
import { withoutSlot } from '../../http/request-slot.ts';
import type { TokenStore } from '../../oauth/token-store.ts';
import { FormError } from '../layout/form-error.ts';
import type { DocumentedOperation } from '../../http/operation.ts';
import type { PageRoutes, View } from '../layout/page-routes.ts';
import { guide } from './documentation-guide.ts';
import { operationSection, type Trial } from './documentation-operation.ts';
import { buildTrial } from '../openapi/trial-request.ts';

type Dependencies = {
  api: Pick<FastifyInstance, 'inject'>;
  applications: ApplicationStore;
  tokens: TokenStore;
  baseUrl: string;
  operations: readonly DocumentedOperation[];
};

export function registerDocumentationPages(routes: PageRoutes, needs: Dependencies): void {
  const { applications, operations } = needs;
  const ownOf = async ({ visitor }: View) => (visitor.account ? applications.listOf(visitor.account.id) : []);
  routes.page({
    path: '/documentation',
    title: 'Documentation',
    section: '/documentation/',
    view: async (view) => documentationPage(view, needs, await ownOf(view)),
  });

  routes.form({
    path: '/documentation/try',
    title: 'Documentation',
    section: '/documentation/',
    view: async (view) => documentationPage(view, needs, await ownOf(view)),
    async submit(view) {
      const own = await ownOf(view);
      const operation = operations.find((candidate) => candidate.id === view.form.get('operation'));
      const application = own.find((candidate) => candidate.id === view.form.get('application'));
      if (!operation?.isTriable || !application) throw new FormError('form_corrupted');
      const trial = await tryOut(needs, operation, application, view);
      return {
        show: html`<h1>${operation.title}</h1>
          ${operationSection(operation, { ...view, baseUrl: needs.baseUrl, own, trial })}
          <p class="actions">
            <a class="button" href="/documentation/#${operation.id}">Back to the documentation</a>
          </p>`,
      };
    },
  });
}

async function tryOut(
  needs: Dependencies,
  operation: DocumentedOperation,
  application: Application,
  view: View,
): Promise<Trial> {
  const { api, tokens, baseUrl } = needs;
  const request = buildTrial(operation, view.form);
  const isUsers = operation.access === 'user';
  const grant = await tokens.createGrant({
    applicationId: application.id,
    accountId: isUsers ? application.account_id : null,
    kind: isUsers ? 'authorization_code' : 'client_credentials',
    scope: isUsers ? ['post_metag'] : [],
  });
  try {
    const token = await tokens.issueAccessToken(grant, isUsers ? ['post_metag'] : []);
    // The request takes another slot.
    const answer = await withoutSlot(() =>
      api.inject({
        method: request.method,
        url: request.path,
        headers: {
          host: new URL(baseUrl).host,
          authorization: `Bearer ${token}`,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(request.body === undefined ? {} : { payload: request.body }),
      }),
    );
    return { request, status: answer.statusCode, statusText: answer.statusMessage, body: answer.body };
  } finally {
    await tokens.revoke({ grantId: grant.id });
  }
}

function documentationPage(view: View, { baseUrl, operations }: Dependencies, own: readonly Application[]): SafeHtml {
  const groups = [...new Set(operations.map((operation) => operation.group))];
  return html`<div class="docs">
    <nav aria-label="Documentation">
      <h2>Guide</h2>
      <ul>
        <li><a href="#first-steps">First steps</a></li>
        <li><a href="#access">Access</a></li>
        <li><a href="#users">User tokens</a></li>
        <li><a href="#callbacks">Callbacks</a></li>
        <li><a href="#errors">Errors and limits</a></li>
      </ul>
      ${groups.map(
        (group) =>
          html`<h2>${group}</h2>
            <ul>
              ${operations.filter((operation) => operation.group === group).map((operation) => html`<li><a href="#${operation.id}">${operation.title}</a></li>`)}
            </ul>`,
      )}
    </nav>
    <div>
      ${guide(baseUrl)}
      <h2 class="section-title">Operations</h2>
      <div class="stack">
        ${operations.map((operation) => operationSection(operation, { ...view, baseUrl, own, trial: undefined }))}
      </div>
    </div>
  </div>`;
}
