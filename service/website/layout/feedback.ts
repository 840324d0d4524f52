// The 27 feedback messages of the website's forms (docs/interface.md §7.3), each a warning or a success, by ID.

export const warnings = {
  credentials_wrong: 'Username or password wrong.',
  credentials_missing: 'Username and password must both be given.',
  identity_problem: 'Problem with the username or email.',
  data_problem: 'Problem with the typed data.',
  email_taken: 'Email already taken.',
  username_taken: 'Username already taken.',
  email_invalid: 'A valid email address is required.',
  contact_incomplete: 'Email and message must both be given.',
  app_name_and_description_missing: 'Name and description of an app must both be given.',
  registration_incomplete: 'Username, password and email must all be given.',
  email_update_failed: 'Email update failed; retry.',
  terms_not_accepted: 'Terms of service must be accepted to create an app.',
  app_name_missing: 'An app name is required.',
  app_description_missing: 'An app description is required.',
  saving_failed: 'Saving data failed; retry.',
  app_contract_failed: 'Creating the contract of an application failed; retry.',
  form_corrupted: 'Form data is corrupted, invalid or manipulated.',
  contract_problem: 'General contract creation problem; retry or contact the operator.',
  plan_subscribed: 'The plan is already subscribed; choose another plan or create an application.',
  plan_missing: 'A plan must be chosen before an application is created.',
} as const satisfies Record<string, string>;

export const successes = {
  email_sent: 'Email sent.',
  thanks_sent: 'A thank-you message sent.',
  app_created: 'App created.',
  app_edited: 'App edited.',
  usage_sent: 'An email with usage information was sent.',
  launch_registered: 'Registration for a launch notice by email confirmed.',
  contract_created: 'Contract created; an application can now be created with it.',
} as const satisfies Record<string, string>;

/** Confirmations for which the interface has no message. */
const notices = {
  email_changed: 'Your email address was changed.',
  email_link_sent:
    'Check your inbox, and open the link in our email to confirm the address. Each address gets at most 3 emails an hour.',
  email_confirmed: 'Your email address was confirmed.',
  email_change_canceled: 'Your email address change was canceled.',
  reset_link_sent:
    'If an account with that username or email address has a confirmed address, we emailed it a link, which works for 1 hour. Each address gets at most 3 emails an hour.',
  password_reset: 'Your password was changed. Sign in with the new one.',
  password_changed:
    'Your password was changed. You were signed out of all other browsers, and the permissions of all applications were revoked.',
  notifications_saved: 'Your notification settings were saved.',
  signed_out: 'You are signed out.',
  account_deleted: 'Your account was deleted, along with its applications, monitors, tokens, and data.',
  app_deleted: 'The application was deleted, along with its monitors and tokens.',
  permission_withdrawn: 'The permission was revoked. Its tokens no longer work.',
  monitor_saved: 'The monitor was saved.',
  monitor_deleted: 'The monitor was deleted, along with its pending events.',
  test_event_sent: 'A test event is on its way. Its delivery appears under Events.',
  monitor_paused: 'The monitor is paused. It gets no events until you resume it.',
  delivery_on: 'Delivery for this monitor is on again.',
  event_resent: 'The event will be sent again with the same ID.',
} as const satisfies Record<string, string>;

export type WarningId = keyof typeof warnings;
export type SuccessId = keyof typeof successes;
export type NoticeId = keyof typeof notices;
export type BannerId = WarningId | SuccessId | NoticeId;

const texts: Readonly<Record<BannerId, string>> = { ...warnings, ...successes, ...notices };

export function bannerOf(id: BannerId): { kind: 'warning' | 'success'; text: string } {
  return { kind: isWarningId(id) ? 'warning' : 'success', text: texts[id] };
}

export function isWarningId(text: string): text is WarningId {
  return Object.hasOwn(warnings, text);
}

export function isBannerId(text: string): text is BannerId {
  return Object.hasOwn(texts, text);
}
