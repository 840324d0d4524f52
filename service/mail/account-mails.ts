// The emails about an account: their texts, and what happens to each if its mailbox got too many lately.
import type { LinkRequest } from './links.ts';
import { mailText, type NewMail, noticeMail } from './outbox.ts';

type Recipient = { id: string; username: string };

export function confirmationMail({ id, username }: Recipient, email: string): NewMail {
  return linkMail({ purpose: 'confirm-email', accountId: id, email }, 'Rainbell: confirm your email address', [
    `Someone entered this email address for the Rainbell account "${username}". To confirm it, open this link:`,
    '{link}',
    "The link works once and expires after 24 hours. If this isn't your account, ignore this email: nothing will change unless you confirm the address.",
  ]);
}

/** Creates the email for an address that already belongs to another account, instead of the confirmation. */
export function addressInUseMail({ id, username }: Recipient, email: string): NewMail {
  return linkMail({ purpose: 'confirm-email', accountId: id, email }, 'Rainbell: you already have an account', [
    `Someone entered this email address for the Rainbell account "${username}", but it already belongs to your account.`,
    'If this was you, sign in to your existing account, or reset its password on the sign-in page. To see your options, open this link:',
    '{link}',
    "If this wasn't you, ignore this email: nothing will change.",
  ]);
}

export function resetMail({ id, username }: Recipient, email: string): NewMail {
  return linkMail({ purpose: 'reset-password', accountId: id, email }, 'Rainbell: reset your password', [
    `Someone asked to reset the password for the Rainbell account "${username}". To choose a new password, open this link:`,
    '{link}',
    "The link works once and expires after 1 hour. If this wasn't you, ignore this email: your password won't change.",
  ]);
}

export function passwordChangedMail({ username }: Recipient, email: string): NewMail {
  return noticeMail(email, 'Rainbell: your password was changed', [
    `The password for the Rainbell account "${username}" was changed. All other browsers were signed out, and all application permissions were revoked.`,
    "If this wasn't you, reset the password on the sign-in page immediately.",
  ]);
}

export function passwordSetByOperatorMail({ username }: Recipient, email: string): NewMail {
  return noticeMail(email, 'Rainbell: your password was changed', [
    `The operator of the service changed the password for the Rainbell account "${username}". All browsers were signed out, and all application permissions were revoked.`,
    "If you didn't ask the operator for this, reset the password on the sign-in page, and then contact the operator.",
  ]);
}

export function emailChangedMail({ username }: Recipient, email: string, next: string): NewMail {
  return noticeMail(email, 'Rainbell: your email address was changed', [
    `The Rainbell account "${username}" now uses the email address ${next}. This address no longer belongs to it.`,
    "If this wasn't you, contact the operator of the service immediately.",
  ]);
}

export function emailChangeRequestedMail({ username }: Recipient, email: string, next: string): NewMail {
  return noticeMail(email, 'Rainbell: email address change requested', [
    `Someone who is signed in to the Rainbell account "${username}" and knows its password asked to change its email address to ${next}. The change takes effect when someone confirms the new address with the link that we sent there.`,
    "If this wasn't you, change your password, which signs out all other browsers.",
  ]);
}

export function accountDeletedMail({ username }: Recipient, email: string): NewMail {
  return noticeMail(email, 'Rainbell: your account was deleted', [
    `The Rainbell account "${username}" was deleted, along with its applications, monitors, tokens, and data.`,
  ]);
}

function linkMail(link: LinkRequest, subject: string, paragraphs: readonly string[]): NewMail {
  return { to: link.email, subject, text: mailText(paragraphs), link, whenLimited: 'drop' };
}
