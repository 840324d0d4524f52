// The documentation: a page for each subject, with its operations and a form to try each. The forms work without scripts: the
// service sends the request as one of the visitor's applications.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application, ApplicationStore } from '../../accounts/application-store.ts';
import { type ApiNeeds, callApi } from '../../oauth/call-api.ts';
import { FormError } from '../layout/form-error.ts';
import type { DocumentedOperation } from '../../http/operation.ts';
import type { PageRoutes, View } from '../layout/page-routes.ts';
import { foreign } from '../layout/foreign.ts';
import { subjectOf, subjects } from './documentation-guide.ts';
import { operationSection } from './documentation-operation.ts';
import { buildTrial } from '../openapi/trial-request.ts';

type Dependencies = ApiNeeds & {
  baseUrl: string;
  applications: ApplicationStore;
  operations: readonly DocumentedOperation[];
};

export function registerDocumentationPages(routes: PageRoutes, needs: Dependencies): void {
  const { applications, operations, baseUrl } = needs;
  const ownOf = async ({ visitor }: View) => (visitor.account ? applications.listOf(visitor.account.id) : []);
  const about = { section: '/documentation/', hasScript: true };
  for (const subject of subjects) {
    routes.page({
      ...about,
      path: `/documentation/${subject.path}`.slice(0, -1),
      title: subject.title,
      view: async (view) => documentationPage(view, needs, subject, await ownOf(view)),
    });
  }

  routes.form({
    ...about,
    path: '/documentation/try',
    title: 'Try an operation',
    view: async (view) => documentationPage(view, needs, subjectOf('Weather'), await ownOf(view)),
    async submit(view) {
      const own = await ownOf(view);
      const operation = operations.find((candidate) => candidate.id === view.form.get('operation'));
      const application = own.find((candidate) => candidate.id === view.form.get('application'));
      if (!operation?.isTriable || !application) throw new FormError('form_corrupted');
      const request = buildTrial(operation, view.form);
      const answer = await callApi(needs, application, request, { asUser: operation.access === 'user' });
      const trial = { request, answer };
      return {
        show: html`<h1>${operation.title}</h1>
          ${operationSection(operation, { ...view, baseUrl, clientId: clientIdOf(own), own, trial })}
          <p class="actions">
            <a class="button" href="/documentation/${subjectOf(operation.group).path}#${operation.id}"
              >Back to the documentation</a
            >
          </p>`,
      };
    },
  });
}

/** Examples contain the client ID of the visitor's newest application. */
function clientIdOf([newest]: readonly Application[]): string {
  return newest?.client_id ?? 'CLIENT_ID';
}

function documentationPage(
  view: View,
  { baseUrl, operations }: Dependencies,
  subject: (typeof subjects)[number],
  own: readonly Application[],
): SafeHtml {
  const clientId = clientIdOf(own);
  const shown = operations.filter(({ group }) => subject.groups.includes(group));
  return html`<div class="docs">
    <nav aria-label="Documentation">
      <ul>
        ${subjects.map(
          ({ path, title }) =>
            html`<li>
              <a href="/documentation/${path}" ${path === subject.path ? html`aria-current="page"` : ''}>${title}</a>
              ${
                path === subject.path && shown.length > 0
                  ? html`<ul>
                      ${shown.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
                    </ul>`
                  : ''
              }
            </li>`,
        )}
      </ul>
    </nav>
    <div>
      <article class="prose">
        <h1>${subject.title}</h1>
        ${own[0] ? html`<p class="hint">The examples contain the client ID of ${foreign(own[0].name)}.</p>` : ''}
        ${subject.text({ ...view, baseUrl, clientId })}
      </article>
      <div class="stack operations">
        ${shown.map((operation) => operationSection(operation, { ...view, baseUrl, clientId, own, trial: undefined }))}
      </div>
    </div>
  </div>`;
}
