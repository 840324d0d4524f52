// The operator pages, and the outbox: sent emails, and those kept because no mail server is configured.
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Mail, type Outbox, shownBody } from '#service/mail/outbox.ts';
import { timeText } from '#service/website/layout/dates.ts';
import { icon } from '#service/website/layout/icons.ts';
import type { PageRoutes } from '#service/website/layout/page-routes.ts';
import { type AccuracyDependencies, registerOperatorAccuracy } from './operator-accuracy.ts';
import { registerOperatorAccounts } from './operator-accounts.ts';
import { operatorHead, operatorRoutes } from './operator-frame.ts';
import { registerOperatorStatus, type StatusDependencies } from './operator-status.ts';

type Dependencies = StatusDependencies & AccuracyDependencies & { outbox: Outbox };

export function registerOperatorPages(routes: PageRoutes, needs: Dependencies): void {
  const operators = operatorRoutes(routes, needs.oauth.signIn);
  registerOperatorStatus(operators, needs);
  registerOperatorAccounts(operators, needs);
  registerOperatorAccuracy(operators, needs);
  operators.page({
    path: '/operator/outbox',
    title: 'Outbox',
    view: async () => outboxPage(await needs.outbox.list()),
  });
}

const stateChips = { waiting: 'wait', sent: 'good', failed: 'bad', kept: 'accent' } as const;

function outboxPage(mails: readonly Mail[]): SafeHtml {
  return html`${operatorHead('outbox/', 'Outbox', 'Emails from the last 30 days, newest first. “Kept” emails weren’t sent: no mail server was configured, or the recipient’s mailbox had reached its hourly limit.')}
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
