// One operation in the documentation: its parameters and responses, a terminal example, and a form to try it.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application } from '../../accounts/application-store.ts';
import { codeBlock } from '../layout/code.ts';
import { hidden } from '../layout/fields.ts';
import type { DocumentedOperation, Operation } from '../../http/operation.ts';
import type { ApiAnswer, ApiRequest } from '../../oauth/call-api.ts';
import { buildTrial, curlOf } from '../openapi/trial-request.ts';
import type { View } from '../layout/page-routes.ts';
import { subjectOf } from './documentation-guide.ts';
import { responseExamples } from './response-examples.ts';

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

export function operationSection(operation: DocumentedOperation, around: OperationContext): SafeHtml {
  const { id, method, path, title, description, parameters = [], responses, access } = operation;
  return html`<section class="card operation" id="${id}">
    <h2><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h2>
    <h3>${title}</h3>
    <p>${description}</p>
    <dl class="facts">
      <dt>Authentication</dt>
      <dd>${accessLabels[access]}</dd>
      ${parameters.map(
        (parameter) =>
          html`<dt><code>${parameter.name}</code></dt>
            <dd>
              ${parameter.meaning}
              <span class="muted">${parameter.in === 'query' ? 'Query parameter.' : 'Path parameter.'}</span>
            </dd>`,
      )}
      ${responses.map(
        ({ status, meaning }) =>
          html`<dt>Returns ${status}</dt>
            <dd>${meaning}</dd>`,
      )}
    </dl>
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
  return operation.access === 'none' ? `curl '${baseUrl}${request.path}'` : curlOf(request, baseUrl);
}

function exampleForm({ parameters = [], body }: Operation): ReadonlyMap<string, string> {
  const fields = parameters.map(({ name, example }): [string, string] => [`parameter_${name}`, String(example)]);
  return new Map(body === undefined ? fields : [...fields, ['body', body.example]]);
}

function tryForm(
  operation: DocumentedOperation,
  { csrf, form, own, trial, baseUrl, visitor }: OperationContext,
): SafeHtml {
  const { id, parameters = [], body, title } = operation;
  const isOpen = trial !== undefined;
  const typed = isOpen ? form : exampleForm(operation);
  if (own.length === 0) {
    const way = visitor.account
      ? html`<a href="/applications/new/">create an application</a>`
      : html`<a href="/sign-in/?to=/documentation/${subjectOf(operation.group).path}">sign in</a>`;
    return html`<details>
      <summary>Try it</summary>
      <p class="muted">To try this operation, ${way}.</p>
    </details>`;
  }
  return html`<details ${isOpen ? html`open` : ''}>
    <summary>Try it</summary>
    <form method="post" action="/documentation/try/" aria-label="Try: ${title}">
      ${hidden('csrf', csrf)} ${hidden('operation', id)}
      <div class="field">
        <label for="${id}-application">Application</label>
        <select id="${id}-application" name="application">
          ${own.map((one) => html`<option value="${one.id}" ${form.get('application') === one.id ? html`selected` : ''}>${one.name}</option>`)}
        </select>
      </div>
      ${parameters.map(
        ({ name, meaning }) =>
          html`<div class="field">
            <label for="${id}-${name}"><code>${name}</code></label>
            <input
              id="${id}-${name}"
              name="parameter_${name}"
              value="${typed.get(`parameter_${name}`) ?? ''}"
              autocomplete="off"
              spellcheck="false"
            />
            <p class="hint">${meaning}</p>
          </div>`,
      )}
      ${
        body === undefined
          ? ''
          : html`<div class="field">
              <label for="${id}-body">Body (JSON)</label>
              <textarea id="${id}-body" name="body" rows="6" class="code" spellcheck="false">
${typed.get('body') ?? ''}</textarea>
            </div>`
      }
      <button class="primary" type="submit">Send request</button>
    </form>
    ${trial === undefined ? '' : responseOf(trial, baseUrl)}
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
