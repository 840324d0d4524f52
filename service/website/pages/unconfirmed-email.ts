// Restricts accounts until their email address is confirmed, sends the link that confirms it, and limits probing for taken addresses.
import { html } from '@remix-run/html-template';
import type { Account } from '../../accounts/account-store.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { addressInUseMail, confirmationMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Card } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';

/** Whether the account must confirm its address first. Always false without a mail server, because no link can be sent. */
export function isUnconfirmed({ isSending }: Pick<Mailer, 'isSending'>, account: Account): boolean {
  return isSending && account.email_confirmed_at === null;
}

export function requireConfirmed(mailer: Pick<Mailer, 'isSending'>, account: Account): void {
  if (!isUnconfirmed(mailer, account)) return;
  throw new ServiceError('access_denied', 'Confirm your email address first: open the link that we sent you.');
}

/** If another account has the address, its owner gets a different email, and the submitter sees the same page. */
export async function sendConfirmation(
  { accounts, mailer }: Pick<Website, 'accounts' | 'mailer'>,
  account: Account,
): Promise<void> {
  const email = account.pending_email ?? account.email;
  const isTaken = await accounts.isConfirmedElsewhere(account.id, email);
  await mailer.send(isTaken ? addressInUseMail(account, email) : confirmationMail(account, email));
}

/** Without a mail server a form must say that an address is taken; this limits probing of long lists. */
const takenLimit = { name: 'taken address', max: 10, windowSeconds: 600 };

export function createTakenGuard(fleet?: Fleet): Website['countTaken'] {
  const count = createCountGuard(fleet, takenLimit, 'attempts to use a taken email address');
  return (address) => async (error) => {
    if (error instanceof StoreRefusal && error.kind === 'email_taken') await count(address);
    throw error;
  };
}

export function confirmFirst({ email, pending_email }: Account): Card {
  return {
    title: 'Confirm your email address first',
    text: html`Open the link that we sent to <strong>${pending_email ?? email}</strong>. Then you can create an
      application.`,
    action: '/account/confirmation/',
    button: 'Resend link',
    below: html`<p class="actions"><a href="/account/">Change address</a></p>`,
  };
}
