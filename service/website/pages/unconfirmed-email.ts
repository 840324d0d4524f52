// Restricts accounts until their email address is confirmed, sends the link that confirms it, and limits probing for taken addresses.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account, AccountStore } from '../../accounts/account-store.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { addressInUseMail, confirmationMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { hidden } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';

/** Whether the account must confirm its address first. Always false without a mail server, because no link can be sent. */
export function isUnconfirmed({ isSending }: Pick<Mailer, 'isSending'>, account: Account): boolean {
  return isSending && account.email_confirmed_at === null;
}

export function requireConfirmed(mailer: Pick<Mailer, 'isSending'>, account: Account): void {
  if (!isUnconfirmed(mailer, account)) return;
  throw new ServiceError('access_denied', 'Confirm your email address first: open the link that we sent you.');
}

/**
 * Sends the confirmation link to the pending address. If the address belongs to another account, its owner gets a different email,
 * and the submitter sees the same page.
 */
export async function sendConfirmation(
  { accounts, mailer }: { accounts: Pick<AccountStore, 'isConfirmedElsewhere'>; mailer: Mailer },
  account: Account,
): Promise<void> {
  const email = account.pending_email ?? account.email;
  const isTaken = await accounts.isConfirmedElsewhere(account.id, email);
  await mailer.send(isTaken ? addressInUseMail(account, email) : confirmationMail(account, email));
}

/** Without a mail server a form must say that an address is taken; this limits probing of long lists. */
const takenLimit = { name: 'taken address', max: 10, windowSeconds: 600 };

/** For the failure of a change that may reveal a taken address: counts it, and throws a ServiceError if there were too many. */
export type TakenGuard = (address: string) => (error: unknown) => Promise<never>;

export function createTakenGuard(fleet: Fleet): TakenGuard {
  const count = createCountGuard(fleet, takenLimit, 'attempts to use a taken email address');
  return (address) => async (error) => {
    if (error instanceof StoreRefusal && error.kind === 'email_taken') await count(address);
    throw error;
  };
}

/** Replaces a form that the account may not use until its address is confirmed. */
export function confirmFirst(account: Account, csrf: string, what: string): SafeHtml {
  return html`<section class="card empty">
    ${icon('mail')}
    <h1>Confirm your email address first</h1>
    <p>
      Open the link that we sent to <strong>${account.pending_email ?? account.email}</strong>. Then you can ${what}.
    </p>
    <form method="post" action="/account/confirmation/">
      ${hidden('csrf', csrf)}
      <div class="actions">
        <button type="submit">Resend link</button>
        <a class="button" href="/account/">Change address</a>
      </div>
    </form>
  </section>`;
}
