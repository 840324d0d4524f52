// What the pages of one application look like.
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Application, type CreatedApplication, versionOf } from '#service/accounts/application-store.ts';
import type { Contract } from '#service/accounts/contract-store.ts';
import type { Plan } from '#service/accounts/plans.ts';
import type { Form } from '#service/oauth/form-body.ts';
import { dayText } from '#service/website/layout/dates.ts';
import { checkBox, hidden, radioGroup, textArea, textField } from '#service/website/layout/fields.ts';
import { icon } from '#service/website/layout/icons.ts';
import type { OwnView } from '#service/website/layout/page-routes.ts';
import { planFacts } from './plan-pages.ts';

const tabs = [
  { path: '', text: 'Overview' },
  { path: 'monitors/', text: 'Monitors' },
  { path: 'deliveries/', text: 'Deliveries' },
  { path: 'webhook/', text: 'Webhook secret' },
] as const;

export type ApplicationTab = (typeof tabs)[number]['path'];

/** Name and tabs on top of each page of an application. */
export function applicationHead(application: Application, current: ApplicationTab): SafeHtml {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
      <a href="/applications/">Applications</a><span aria-hidden="true">/</span><span>${application.name}</span>
    </nav>
    <div class="page-head">
      <div>
        <h1>${application.name}</h1>
        <p>${application.description}</p>
      </div>
      ${application.disabled_at === null ? '' : html`<span class="chip bad">disabled by the operator</span>`}
    </div>
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
  return html`${textField({ name: 'name', label: 'Name', value: name, problems, hint: 'Users see it in the authorization dialog.' })}
  ${textArea({ name: 'description', label: 'Description', value: description, problems, rows: 3, hint: 'One sentence about what it does.' })}
  ${textArea({
    name: 'redirect_uris',
    label: 'Redirect addresses',
    value: redirectUris,
    problems,
    rows: 3,
    isCode: true,
    isOptional: true,
    hint: 'For the authorization dialog, one per line. They match exactly; http://127.0.0.1 matches on any port.',
  })}`;
}

/** For a new application it counts only with the kind "public". */
function requirePkceBox(isChecked: boolean, problems: Problems): SafeHtml {
  return html`<div class="pkce-choice">
    ${checkBox({
      name: 'require_pkce',
      label: 'Require PKCE',
      text: html`<strong>Require PKCE</strong
        ><small
          >Refuses sign-ins for a code without <code>code_challenge</code> (S256), so a stolen code is useless.
          Recommended for every public application.</small
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
  const has = (plan: Plan) => contracts.some((contract) => contract.plan === plan.id && contract.state === 'active');
  const needsApproval = plans.some((plan) => plan.needsApproval && !has(plan));
  const chosen = form.get('plan') ?? query.get('plan') ?? undefined;
  return html`<section class="card">
    <h1>New application</h1>
    <p class="muted">It gets a client id and, if it can keep one, a client secret.</p>
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
            hint: 'Confidential: it keeps a client secret, and can use client credentials and monitors.',
          },
          {
            value: 'public',
            text: 'With its users',
            hint: 'Public: mobile, desktop or in a browser. No secret; users allow it in the authorization dialog.',
          },
        ],
      })}
      ${requirePkceBox(form.size === 0 || form.get('require_pkce') === 'yes', problems)}
      ${radioGroup({
        name: 'plan',
        label: 'Plan',
        value: chosen,
        hint: needsApproval ? 'Larger plans need the approval of the operator: request one under Plans.' : undefined,
        problems,
        options: plans
          .filter((plan) => (plan.isOffered && !plan.needsApproval) || has(plan))
          .map((plan) => ({
            value: plan.id,
            text: `${plan.name} · ${plan.price}`,
            hint: `${planFacts(plan).join(', ')}. ${has(plan) ? 'You have this contract.' : 'A contract is made with it.'}`,
          })),
      })}
      ${checkBox({
        name: 'terms',
        label: 'Terms',
        text: html`I accept the <a href="/terms/">terms of service</a>.`,
        isChecked: form.get('terms') === 'yes',
        problems,
      })}
      <button class="primary wide" type="submit">Create application</button>
    </form>
  </section>`;
}

/** The one page on which a client secret is seen. */
export function credentialsPage({ id, name, clientId, clientSecret }: CreatedApplication & { name: string }): SafeHtml {
  return html`<section class="card">
    <h1>${name}</h1>
    <h2>Client id</h2>
    <p><code class="secret" data-credential="client_id">${clientId}</code></p>
    ${
      clientSecret === undefined
        ? html`<p class="muted">
            It is public, so it has no secret. It sends <code>client_id</code> with its token requests.
          </p>`
        : html`<h2>Client secret</h2>
            <p><code class="secret" data-credential="client_secret">${clientSecret}</code></p>
            <div class="note">
              ${icon('alert')}
              <p>This is the only time that the secret is shown. Keep it where others cannot read it.</p>
            </div>`
    }
    <div class="actions"><a class="button primary" href="/applications/${id}/">To the application</a></div>
  </section>`;
}

export function applicationPage({ csrf, form, problems }: OwnView, application: Application, plan: Plan): SafeHtml {
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
            <dt>Client id</dt>
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
          <a href="/usage/">See the usage</a>
        </section>
        ${
          application.is_sandbox === 1
            ? html`<section class="card">
                <h2>Sandbox</h2>
                <p class="muted">
                  This application came with the service. Its credentials follow from a key file, so they can be shown
                  at every start and not be changed here.
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
    <dd>of ${dayText(secret_created_at)}; shown only when it was made</dd>`;
}

function renewForm({ id }: Application, csrf: string): SafeHtml {
  return html`<form method="post" action="/applications/${id}/secret/">
    ${hidden('csrf', csrf)}
    <p class="hint">A new secret ends the old one and all tokens of this application.</p>
    <div class="actions"><button type="submit">${icon('key')} New client secret</button></div>
  </form>`;
}

function deleteForm({ id, name }: Application, csrf: string): SafeHtml {
  return html`<section class="card">
    <h2>Delete</h2>
    <form method="post" action="/applications/${id}/delete/">
      ${hidden('csrf', csrf)}
      ${textField({ name: 'confirm', label: `Type "${name}" to confirm`, hint: 'Its monitors and tokens end with it.' })}
      <button class="danger" type="submit">Delete application</button>
    </form>
  </section>`;
}
