// Views of one application's pages.
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Application, type CreatedApplication, versionOf } from '../../accounts/application-store.ts';
import type { Contract } from '../../accounts/contract-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import type { Form } from '../../oauth/form-body.ts';
import { codeBlock } from '../layout/code.ts';
import { dayText } from '../layout/dates.ts';
import { checkBox, hidden, radioGroup, textArea, textField } from '../layout/fields.ts';
import { foreign } from '../layout/foreign.ts';
import { icon } from '../layout/icons.ts';
import { pageHead } from '../layout/page.ts';
import type { OwnView } from '../layout/page-routes.ts';
import { formatVerification, type Verification } from '@rainbell/contract/service-api';
import { clientExamples } from './client-examples.ts';
import { planFacts, planOptions } from './plan-pages.ts';

const tabs = [
  { path: '', text: 'Overview' },
  { path: 'monitors/', text: 'Monitors' },
  { path: 'events/', text: 'Events' },
  { path: 'webhook/', text: 'Webhooks' },
] as const;

export type ApplicationTab = (typeof tabs)[number]['path'];

export const disabledChip = html`<span class="chip bad">disabled by the operator</span>`;

/** Name and tabs on top of each page of an application. */
export function applicationHead(application: Application, current: ApplicationTab): SafeHtml {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
      <a href="/applications/">Applications</a><span aria-hidden="true">/</span
      ><span>${foreign(application.name)}</span>
    </nav>
    ${pageHead(application.name, application.description, application.disabled_at !== null && disabledChip)}
    <nav class="tabs" aria-label="${application.name}">
      ${tabs.map(
        ({ path, text }) =>
          html`<a href="/applications/${application.id}/${path}" ${path === current ? html`aria-current="page"` : ''}
            >${text}</a
          >`,
      )}
    </nav>`;
}

type Problems = Readonly<Record<string, string>>;
type Typed = { name: string | undefined; description: string | undefined; redirectUris: string | undefined };

function textFields({ name, description, redirectUris }: Typed, problems: Problems): SafeHtml {
  return html`${textField({ name: 'name', label: 'Name', value: name, problems, hint: 'Users see this on the sign-in page.' })}
  ${textArea({ name: 'description', label: 'Description', value: description, problems, rows: 3, hint: 'One sentence about what the application does. Users see this, too.' })}
  ${textArea({
    name: 'redirect_uris',
    label: 'Redirect URLs',
    value: redirectUris,
    problems,
    rows: 3,
    isCode: true,
    isOptional: true,
    hint: 'One per line. URLs must match exactly, except that http://127.0.0.1 matches any port.',
  })}`;
}

/** Applies to new applications only of the kind "public". */
function requirePkceBox(isChecked: boolean, problems: Problems): SafeHtml {
  return html`<div class="pkce-choice">
    ${checkBox({
      name: 'require_pkce',
      label: 'Require PKCE',
      text: html`<strong>Require PKCE</strong
        ><small
          >Rejects authorization requests without <code>code_challenge</code> (S256), so a stolen code is useless, and
          <code>response_type=token</code>. Recommended for every public client.</small
        >`,
      isChecked,
      problems,
    })}
  </div>`;
}

function typed(form: Form): Typed {
  return { name: form.get('name'), description: form.get('description'), redirectUris: form.get('redirect_uris') };
}

export function newApplicationPage(
  { csrf, form, query, problems }: OwnView,
  plans: readonly Plan[],
  contracts: readonly Contract[],
): SafeHtml {
  const has = (plan: Plan) => contracts.some((contract) => contract.plan === plan.id);
  const shown = plans.filter((plan) => plan.isOffered || has(plan));
  const chosen = form.get('plan') ?? query.get('plan') ?? contracts[0]?.plan ?? shown[0]?.id;
  return html`<section class="card">
    <h1>New application</h1>
    <p class="muted">You'll get a client ID and, for a confidential client, a client secret.</p>
    <form method="post" action="/applications/new/">
      ${hidden('csrf', csrf)} ${textFields(typed(form), problems)}
      ${radioGroup({
        name: 'kind',
        label: 'Where does it run?',
        value: form.get('kind') ?? 'confidential',
        problems,
        options: [
          {
            value: 'confidential',
            text: 'On a server',
            hint: 'Confidential: has a client secret, and can use client credentials and monitors.',
          },
          {
            value: 'public',
            text: 'On users’ devices',
            hint: 'Public: a mobile, desktop, or browser app. No client secret; users sign in on the service’s page.',
          },
        ],
      })}
      ${requirePkceBox(form.size === 0 || form.get('require_pkce') === 'yes', problems)}
      ${radioGroup({
        name: 'plan',
        label: 'Plan',
        value: chosen,
        problems,
        options: planOptions(shown, contracts),
      })}
      ${termsBox(form, problems)}
      <button class="primary wide" type="submit">Create application</button>
    </form>
  </section>`;
}

export const termsProblem = 'Read and accept the terms to continue.';

export function termsBox(form: Form, problems: Problems): SafeHtml {
  return checkBox({
    name: 'terms',
    label: 'Terms',
    text: html`I accept the <a href="/terms/">terms of service</a>.`,
    isChecked: form.get('terms') === 'yes',
    problems,
  });
}

type Credentials = CreatedApplication & { name: string };

/** The only page that shows a client secret. */
export function credentialsPage({ id, name, clientId, clientSecret }: Credentials, baseUrl: string): SafeHtml {
  return html`<section class="card">
    <h1>${name}</h1>
    <h2>Client ID</h2>
    ${credential('client ID', clientId)}
    ${
      clientSecret === undefined
        ? html`<p class="muted">
            A public client has no client secret. Include <code>client_id</code> in its token requests.
          </p>`
        : html`<h2>Client secret</h2>
            ${credential('client secret', clientSecret)}
            <div class="note">
              ${icon('alert')}
              <p>Copy the secret now: it won't be shown again. Store it where others can't read it.</p>
            </div>
            <h2>Get the weather</h2>
            ${codeBlock(`CLIENT_ID='${clientId}'\nCLIENT_SECRET='${clientSecret}'\n${clientExamples(baseUrl)[0]?.code.curl ?? ''}`, 'commands with your credentials')}`
    }
    <div class="actions">
      <a class="button primary" href="/applications/${id}/">Go to the application</a>
      <a class="button" href="/applications/${id}/monitors/edit/">Create a monitor</a>
      <a
        class="button"
        href="rainbell://connections/new?${String(new URLSearchParams({ url: baseUrl, client: clientId }))}"
        >Open in the Rainbell app</a
      >
    </div>
    <p class="hint">The link to the app doesn't contain the secret.</p>
  </section>`;
}

export function credential(label: string, value: string): SafeHtml {
  return html`<div class="code-block">
    <p>
      <code class="secret" data-copy="${label}" data-credential="${label.toLowerCase().replace(' ', '_')}"
        >${value}</code
      >
    </p>
  </div>`;
}

export function applicationPage(
  { csrf, form, problems }: OwnView,
  application: Application,
  plan: Plan,
  verification: Verification,
): SafeHtml {
  const isTyped = form.has('version');
  const stored = { ...application, redirectUris: application.redirectUris.join('\n') };
  const { id } = application;
  return html`${applicationHead(application, '')}
    <div class="split">
      <section class="card">
        <h2>Edit</h2>
        <form method="post" action="/applications/${id}/">
          ${hidden('csrf', csrf)} ${hidden('version', isTyped ? (form.get('version') ?? '') : versionOf(application))}
          ${textFields(isTyped ? typed(form) : stored, problems)}
          ${requirePkceBox(isTyped ? form.get('require_pkce') === 'yes' : application.requires_pkce === 1, problems)}
          <button class="primary" type="submit">Save</button>
        </form>
      </section>
      <div class="stack">
        <section class="card">
          <h2>Credentials</h2>
          <dl class="facts">
            <dt>Client ID</dt>
            <dd><code>${application.client_id}</code></dd>
            <dt>Kind</dt>
            <dd>${application.is_public === 1 ? 'public, no secret' : 'confidential'}</dd>
            ${secretFacts(application)}
          </dl>
          ${application.is_public === 1 || application.is_sandbox === 1 ? '' : renewForm(application, csrf)}
        </section>
        <section class="card">
          <h2>Plan</h2>
          <p><span class="chip accent">${plan.name}</span></p>
          <p class="muted">${planFacts(plan).join(', ')}.</p>
          <a href="/usage/">See usage</a>
        </section>
        <section class="card">
          <h2>Accuracy</h2>
          <p>${formatVerification(verification)}</p>
          <p class="muted">Last 30 days. Each event is compared with later observations near its monitor.</p>
          <a href="/applications/${id}/events/">See events</a>
        </section>
        ${
          application.is_sandbox === 1
            ? html`<section class="card">
                <h2>Sandbox</h2>
                <p class="muted">
                  This application is part of the service. Its credentials come from a key file, so you can't change
                  them here.
                </p>
              </section>`
            : deleteForm(application, csrf)
        }
      </div>
    </div>`;
}

function secretFacts({ secret_created_at }: Application): SafeHtml {
  if (secret_created_at === null) return html``;
  return html`<dt>Client secret</dt>
    <dd>created ${dayText(secret_created_at)}, shown only once</dd>`;
}

function renewForm(application: Application, csrf: string): SafeHtml {
  return html`<form method="post" action="/applications/${application.id}/secret/">
    ${hidden('csrf', csrf)}
    <p class="muted">A new secret revokes the current one and all tokens immediately.</p>
    <div class="actions"><button type="submit">${icon('key')} New client secret</button></div>
  </form>`;
}

function deleteForm({ id, name }: Application, csrf: string): SafeHtml {
  return html`<section class="card">
    <h2>Delete</h2>
    <form method="post" action="/applications/${id}/delete/">
      ${hidden('csrf', csrf)}
      ${textField({ name: 'confirm', label: `Type "${name}" to confirm`, hint: 'This also deletes the application’s monitors and revokes its tokens.' })}
      <button class="danger" type="submit">Delete application</button>
    </form>
  </section>`;
}
