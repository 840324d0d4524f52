// Views of one application's pages.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application, CreatedApplication } from '../../accounts/application-store.ts';
import type { Contract } from '../../accounts/contract-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import { codeBlock } from '../layout/code.ts';
import { dayText } from '../layout/dates.ts';
import { type Field, showForm } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import { foreign, pageHead } from '../layout/page.ts';
import { facts } from '../layout/table.ts';
import type { Card, OwnView } from '../layout/page-routes.ts';
import { formatVerification, type Verification } from '@rainbell/contract/service-api';
import { clientExamples } from './client-examples.ts';
import { planFacts, planOptions } from './plan-pages.ts';

const tabs = [
  { path: '', text: 'Overview' },
  { path: 'monitors/', text: 'Monitors' },
  { path: 'events/', text: 'Events' },
] as const;

export type ApplicationTab = (typeof tabs)[number]['path'];

export const disabledChip = html`<span class="chip bad">disabled by the operator</span>`;

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

const textFields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'Users see this on the sign-in page.' },
  {
    name: 'description',
    label: 'Description',
    type: 'area',
    hint: 'One sentence about what the application does. Users see this, too.',
  },
  {
    name: 'redirect_uris',
    label: 'Redirect URLs',
    type: 'code',
    isOptional: true,
    hint: 'One per line. URLs must match exactly, except that http://127.0.0.1 matches any port.',
  },
];
/** Applies to new applications only of the kind "public". */
const pkceField: Field = {
  name: 'require_pkce',
  type: 'box',
  value: 'yes',
  label: html`<strong>Require PKCE</strong
    ><small
      >Rejects authorization requests without <code>code_challenge</code> (S256), so a stolen code is useless, and
      <code>response_type=token</code>. Recommended for every public client.</small
    >`,
};
const kindField: Field = {
  name: 'kind',
  label: 'Where does it run?',
  type: 'radio',
  value: 'confidential',
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
};
export const termsField: Field = {
  name: 'terms',
  type: 'box',
  label: html`I accept the <a href="/terms/">terms of service</a>.`,
};
export const termsProblem = 'Read and accept the terms to continue.';

export function newApplicationCard({ query }: OwnView, plans: readonly Plan[], contracts: readonly Contract[]): Card {
  const shown = plans.filter(({ id, isOffered }) => isOffered || contracts.some(({ plan }) => plan === id));
  const value = query.get('plan') ?? contracts[0]?.plan ?? shown[0]?.id;
  const planField: Field = {
    name: 'plan',
    label: 'Plan',
    type: 'radio',
    value,
    options: planOptions(shown, contracts),
  };
  return {
    text: "You'll get a client ID and, for a confidential client, a client secret.",
    fields: [...textFields, kindField, pkceField, planField, termsField],
    button: 'Create application',
  };
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
            ${secretNote("Copy the secret now: it won't be shown again. Store it where others can't read it.")}
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

export function secretNote(text: string): SafeHtml {
  return html`<div class="note">
    ${icon('alert')}
    <p>${text}</p>
  </div>`;
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
  view: OwnView,
  application: Application,
  plan: Plan,
  verification: Verification,
): SafeHtml {
  const { id, name, description, secret_created_at: created } = application;
  const requiresPkce = application.requires_pkce === 1 ? 'yes' : '';
  const stored = [name, description, application.redirect_uris, requiresPkce];
  return html`${applicationHead(application, '')}
    <div class="split">
      <section class="card">
        <h2>Edit</h2>
        ${showForm(view, {
          action: `/applications/${id}/`,
          fields: [...textFields, pkceField].map((field, index) => ({ ...field, value: stored[index] })),
          button: 'Save',
        })}
      </section>
      <div class="stack">
        <section class="card">
          <h2>Credentials</h2>
          ${facts([
            ['Client ID', html`<code>${application.client_id}</code>`],
            ['Kind', application.is_public === 1 ? 'public, no secret' : 'confidential'],
            ...(created === null ? [] : [['Client secret', `created ${dayText(created)}, shown only once`] as const]),
          ])}
          ${
            application.is_public === 1 || application.is_sandbox === 1
              ? ''
              : html`<p class="muted">A new secret revokes the current one and all tokens immediately.</p>
                  ${showForm(view, {
                    action: `/applications/${id}/secret/`,
                    button: html`${icon('key')} New client secret`,
                    look: '',
                  })}`
          }
        </section>
        <section class="card">
          <h2>Webhook secret</h2>
          <p class="muted">
            Signs callbacks, so that your server can verify the sender.
            <a href="/documentation/callbacks/#example-callback">See code that verifies them</a>
          </p>
          ${showForm(view, {
            action: `/applications/${id}/webhook/`,
            button: html`${icon('key')} New webhook secret`,
            look: '',
          })}
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
        <section class="card">${application.is_sandbox === 1 ? sandboxText : deleteForm(view, application)}</section>
      </div>
    </div>`;
}

const sandboxText = html`<h2>Sandbox</h2>
  <p class="muted">
    This application is part of the service. Its credentials come from a key file, so you can't change them here.
  </p>`;

function deleteForm(view: OwnView, { id, name }: Application): SafeHtml {
  const label = `Type "${name}" to confirm`;
  const hint = 'This also deletes the application’s monitors and revokes its tokens.';
  return html`<h2>Delete</h2>
    ${showForm(view, {
      action: `/applications/${id}/delete/`,
      fields: [{ name: 'confirm', label, hint }],
      button: 'Delete application',
      look: 'danger',
    })}`;
}
