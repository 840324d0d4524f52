// The documentation: a page for each subject, with its operations and a form to try each. The forms work without scripts: the
// service sends the request as one of the visitor's applications.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application } from '../../accounts/application-store.ts';
import { type ApiAnswer, type ApiRequest, callApi } from '../../oauth/call-api.ts';
import type { Form } from '../../oauth/form-body.ts';
import { codeBlock } from '../layout/code.ts';
import { type Field, showForm } from '../layout/fields.ts';
import { FormError } from '../layout/form-error.ts';
import type { DocumentedOperation, Operation } from '../../http/operation.ts';
import type { PageRoutes, View } from '../layout/page-routes.ts';
import { foreign } from '../layout/page.ts';
import { facts } from '../layout/table.ts';
import type { Website } from '../website.ts';
import { subjectOf, subjects } from './documentation-guide.ts';
import { responseExamples } from './response-examples.ts';

export function registerDocumentationPages(routes: PageRoutes, website: Website): void {
  const { applications, operations, baseUrl } = website;
  const ownOf = async ({ visitor }: View) => (visitor.account ? applications.listOf(visitor.account.id) : []);
  for (const subject of subjects) {
    routes.page({
      hasScript: true,
      path: `/documentation/${subject.path}`.slice(0, -1),
      title: subject.title,
      view: async (view) => documentationPage(view, website, subject, await ownOf(view)),
    });
  }

  routes.form({
    hasScript: true,
    path: '/documentation/try',
    title: 'Try an operation',
    view: async (view) => documentationPage(view, website, subjectOf('Weather'), await ownOf(view)),
    async submit(view) {
      const own = await ownOf(view);
      const operation = operations.find((candidate) => candidate.id === view.form.get('operation'));
      const application = own.find((candidate) => candidate.id === view.form.get('application'));
      if (!operation?.isTriable || !application) throw new FormError('form_corrupted');
      const request = buildTrial(operation, view.form);
      const answer = await callApi(website, application, request, { asUser: operation.access === 'user' });
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
  { baseUrl, operations }: Website,
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

type Trial = { request: ApiRequest; answer: ApiAnswer };

type OperationContext = View & {
  baseUrl: string;
  clientId: string;
  own: readonly Application[];
  trial: Trial | undefined;
};

const accessLabels: Readonly<Record<Operation['access'], string>> = {
  client: "client credentials in Authorization: Basic, or a public client's client_id",
  bearer: 'any access token',
  application: 'an access token from the client credentials grant',
  user: "a user's access token with the post_metag scope",
  sandbox: 'an access token for the sandbox application',
  none: 'none',
};

function operationSection(operation: DocumentedOperation, around: OperationContext): SafeHtml {
  const { id, method, path, title, description, parameters = [], responses, access } = operation;
  return html`<section class="card operation" id="${id}">
    <h2><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h2>
    <h3>${title}</h3>
    <p>${description}</p>
    ${facts([
      ['Authentication', accessLabels[access]],
      ...parameters.map(({ name, meaning, in: place }) => {
        const kind = place === 'query' ? 'Query parameter.' : 'Path parameter.';
        return [html`<code>${name}</code>`, html`${meaning} <span class="muted">${kind}</span>`] as const;
      }),
      ...responses.map(({ status, meaning }) => [`Returns ${status}`, meaning] as const),
    ])}
    <div class="columns example">
      <div>
        <h3>Request</h3>
        ${codeBlock(exampleOf(operation, around), `request: ${title}`)}
      </div>
      ${
        responseExamples[id] === undefined
          ? ''
          : html`<div>
              <h3>Response</h3>
              ${codeBlock(responseExamples[id], `response: ${title}`)}
            </div>`
      }
    </div>
    ${operation.isTriable ? tryForm(operation, around) : ''}
  </section>`;
}

function exampleOf(operation: DocumentedOperation, { baseUrl, clientId }: OperationContext): string {
  const request = buildTrial(operation, exampleForm(operation));
  if (operation.access === 'client') {
    return `curl '${baseUrl}${request.path}' \\\n  -u '${clientId}:CLIENT_SECRET' \\\n  -d '${operation.body?.example ?? ''}'`;
  }
  return curlOf(request, baseUrl, operation.access);
}

function exampleForm({ parameters = [], body }: Operation): ReadonlyMap<string, string> {
  const fields = parameters.map(({ name, example }): [string, string] => [`parameter_${name}`, String(example)]);
  return new Map(body === undefined ? fields : [...fields, ['body', body.example]]);
}

function tryForm(operation: DocumentedOperation, around: OperationContext): SafeHtml {
  const { id, group, parameters = [], body } = operation;
  const { own, trial, baseUrl, visitor } = around;
  if (own.length === 0) {
    const way = visitor.account
      ? html`<a href="/applications/new/">create an application</a>`
      : html`<a href="/sign-in/?to=/documentation/${subjectOf(group).path}">sign in</a>`;
    return html`<details>
      <summary>Try it</summary>
      <p class="muted">To try this operation, ${way}.</p>
    </details>`;
  }
  const example = exampleForm(operation);
  const options = own.map((one) => ({ value: one.id, text: one.name }));
  const fields: Field[] = [
    { name: 'application', label: 'Application', type: 'select', options },
    ...parameters.map(({ name, meaning }) => ({
      name: `parameter_${name}`,
      label: html`<code>${name}</code>`,
      hint: meaning,
    })),
    ...(body === undefined ? [] : [{ name: 'body', label: 'Body (JSON)', type: 'code' } as const]),
  ];
  return html`<details ${trial ? html`open` : ''}>
    <summary>Try it</summary>
    ${showForm(around, {
      action: '/documentation/try/',
      hidden: { operation: id },
      fields: fields.map((field) => ({ ...field, id: `${id}-${field.name}`, value: example.get(field.name) })),
      button: 'Send request',
    })}
    ${trial && responseOf(trial, baseUrl)}
  </details>`;
}

function responseOf({ request, answer: { statusCode, statusMessage, body } }: Trial, baseUrl: string): SafeHtml {
  return html`<div class="answer" role="status">
    <h3>Request</h3>
    ${codeBlock(curlOf(request, baseUrl), 'request')}
    <h3>Response <span class="chip ${statusCode < 400 ? 'good' : 'bad'}">${statusCode} ${statusMessage}</span></h3>
    ${codeBlock(pretty(body), 'response body')}
  </div>`;
}

function pretty(body: string): string {
  if (body === '') return '(no body)';
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Path and query from the form's fields, limited to the operation's parameters. */
function buildTrial(operation: DocumentedOperation, form: Form): ApiRequest {
  let { path } = operation;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters ?? []) {
    const value = form.get(`parameter_${name}`)?.trim() ?? '';
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const method = operation.method.toUpperCase() as ApiRequest['method'];
  const body = operation.body === undefined ? undefined : (form.get('body') ?? '');
  return { method, path: query.size === 0 ? path : `${path}?${query.toString()}`, body };
}

function curlOf(request: ApiRequest, baseUrl: string, access?: Operation['access']): string {
  const lines = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}'${baseUrl}${request.path}'`,
    ...(access === 'none' ? [] : ["  -H 'Authorization: Bearer ACCESS_TOKEN'"]),
    ...(request.body === undefined
      ? []
      : ["  -H 'Content-Type: application/json'", `  -d '${request.body.replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(' \\\n');
}
