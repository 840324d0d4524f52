// The two authorization pages: sign in, and allow the application. The application's name is untrusted: its owner and the redirect
// target are shown next to it, because anyone can give an application any name.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../accounts/account-store.ts';
import type { WarningId } from '../layout/feedback.ts';
import { hiddenField, showForm } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import { foreign, page } from '../layout/page.ts';
import { signInFields } from '../layout/sign-in-form.ts';
import type { Visitor } from '../layout/visitor.ts';
import type { DialogRequest } from './dialog-request.ts';

export type Shown = { visitor: Visitor; request: DialogRequest; token: string };

export function signInPage({ visitor, request, token }: Shown, feedback?: WarningId, username?: string): string {
  const { application } = request;
  const hidden = { request: token };
  const content = html`<section class="card dialog">
    <h1>Sign in to continue</h1>
    <p class="muted">to <strong>${foreign(application.name)}</strong> by ${foreign(application.ownerName)}</p>
    ${showForm(visitor, { action: '/oauth/authorize/sign-in/', hidden, fields: signInFields(username), button: 'Sign in', look: 'primary wide' })}
    ${showForm(visitor, { action: '/oauth/authorize/decision/', hidden: { ...hidden, decision: 'deny' }, button: 'Cancel', look: 'quiet wide' })}
    ${returning(request)}
  </section>`;
  return page({ title: 'Sign in', content, feedback, width: 'bare' });
}

export function consentPage({ visitor, request, token }: Shown, account: Account): string {
  const { application } = request;
  const content = html`<section class="card dialog">
    <h1>Allow ${foreign(application.name)}?</h1>
    <p class="muted">
      By <strong>${foreign(application.ownerName)}</strong>. Its description: ${foreign(application.description)}
    </p>
    <h2>Requested permissions</h2>
    ${permissions}
    <p class="muted">
      The application doesn't receive your password and can't change your account. You can revoke its permissions on
      your account page.
    </p>
    <form method="post" action="/oauth/authorize/decision/" class="decision">
      ${hiddenField('request', token)} ${hiddenField('csrf', visitor.csrf)}
      <button class="primary" type="submit" name="decision" value="approve">Allow</button>
      <button type="submit" name="decision" value="deny">Deny</button>
    </form>
    ${returning(request)}
    <div class="switch">
      <p>Signed in as <strong>${account.username}</strong>.</p>
      ${showForm(visitor, { action: '/oauth/authorize/switch/', hidden: { request: token }, button: 'Use another account', look: 'link' })}
    </div>
  </section>`;
  return page({ title: 'Allow access', content, width: 'bare' });
}

/** What an application requests; post_metag is all there is. */
const permissions = html`<p class="permissions">
  ${icon('pin')}<span
    ><strong>Post weather reports on your behalf</strong> <code>post_metag</code
    ><small
      >A report (a “metag”) describes the weather at a location and changes the weather shown to others nearby.</small
    ></span
  >
</p>`;

function returning({ redirectUri }: DialogRequest): SafeHtml {
  return html`<p class="returning">
    ${icon('lock')}<span>You'll return to <strong>${returnName(redirectUri)}</strong></span>
  </p>`;
}

function returnName(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return `the app that handles ${protocol.slice(0, -1)}:`;
  return /^(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(host) ? `a program on this computer (${host})` : host;
}
