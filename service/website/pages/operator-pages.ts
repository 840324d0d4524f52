// The outbox, for accounts of the operator: what was sent, and what waits because no mail server is configured.
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Mail, type Outbox, shownBody } from '#service/mail/outbox.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { timeText } from '#service/website/layout/dates.ts';
import { icon } from '#service/website/layout/icons.ts';
import type { PageRoutes } from '#service/website/layout/page-routes.ts';

export function registerOperatorPages(routes: PageRoutes, { outbox }: { outbox: Outbox }): void {
  routes.ownPage({
    path: '/operator',
    title: 'Outbox',
    async view({ account }) {
      // The same words as for a page that does not exist.
      if (account.is_operator !== 1)
        throw new ServiceError(
          'not_found',
          'There is no page at this URL. It may have moved, or the URL has a typing error.',
        );
      return outboxPage(await outbox.list());
    },
  });
}

const stateChips = { waiting: 'wait', sent: 'good', failed: 'bad', kept: 'accent' } as const;

function outboxPage(mails: readonly Mail[]): SafeHtml {
  return html`<div class="page-head">
      <div>
        <h1>Outbox</h1>
        <p>Emails of the last 30 days, newest first. “Kept” means that no mail server is configured.</p>
      </div>
    </div>
    ${
      mails.length === 0
        ? html`<section class="card empty">
            ${icon('mail')}
            <h2>No emails yet</h2>
          </section>`
        : mails.map(mailCard)
    }`;
}

function mailCard(mail: Mail): SafeHtml {
  return html`<article class="card">
    <h2>${mail.subject} <span class="chip ${stateChips[mail.state]}">${mail.state}</span></h2>
    <p class="muted">
      to ${mail.recipient}${mail.reply_to === null ? '' : `, replies to ${mail.reply_to}`}, ${timeText(mail.created_at)}
    </p>
    <pre tabindex="0">${shownBody(mail)}</pre>
  </article>`;
}
