// The 27 feedback messages of the website's forms (§7.3), each a warning or a success, keyed by id.

type Message = { kind: 'warning' | 'success'; text: string };

export const feedbackMessages = {
  credentials_wrong: { kind: 'warning', text: 'Username or password wrong.' },
  credentials_missing: { kind: 'warning', text: 'Username and password must both be given.' },
  identity_problem: { kind: 'warning', text: 'Problem with the username or email.' },
  data_problem: { kind: 'warning', text: 'Problem with the typed data.' },
  email_taken: { kind: 'warning', text: 'Email already taken.' },
  username_taken: { kind: 'warning', text: 'Username already taken.' },
  email_invalid: { kind: 'warning', text: 'A valid email address is required.' },
  contact_incomplete: { kind: 'warning', text: 'Email and message must both be given.' },
  app_name_and_description_missing: {
    kind: 'warning',
    text: 'Name and description of an app must both be given.',
  },
  registration_incomplete: { kind: 'warning', text: 'Username, password and email must all be given.' },
  email_update_failed: { kind: 'warning', text: 'Email update failed; retry.' },
  terms_not_accepted: { kind: 'warning', text: 'Terms of service must be accepted to create an app.' },
  app_name_missing: { kind: 'warning', text: 'An app name is required.' },
  app_description_missing: { kind: 'warning', text: 'An app description is required.' },
  saving_failed: { kind: 'warning', text: 'Saving data failed; retry.' },
  app_contract_failed: { kind: 'warning', text: 'Creating the contract of an application failed; retry.' },
  form_corrupted: { kind: 'warning', text: 'Form data is corrupted, invalid or manipulated.' },
  contract_problem: {
    kind: 'warning',
    text: 'General contract creation problem; retry or contact the operator.',
  },
  plan_subscribed: {
    kind: 'warning',
    text: 'The plan is already subscribed; choose another plan or create an application.',
  },
  plan_missing: { kind: 'warning', text: 'A plan must be chosen before an application is created.' },
  email_sent: { kind: 'success', text: 'Email sent.' },
  thanks_sent: { kind: 'success', text: 'A thank-you message sent.' },
  app_created: { kind: 'success', text: 'App created.' },
  app_edited: { kind: 'success', text: 'App edited.' },
  usage_sent: { kind: 'success', text: 'An email with usage information was sent.' },
  launch_registered: { kind: 'success', text: 'Registration for a launch notice by email confirmed.' },
  contract_created: {
    kind: 'success',
    text: 'Contract created; an application can now be created with it.',
  },
} as const satisfies Record<string, Message>;

export type FeedbackId = keyof typeof feedbackMessages;
export type WarningId = {
  [Id in FeedbackId]: (typeof feedbackMessages)[Id]['kind'] extends 'warning' ? Id : never;
}[FeedbackId];
export type SuccessId = Exclude<FeedbackId, WarningId>;

export function isFeedbackId(text: string): text is FeedbackId {
  return Object.hasOwn(feedbackMessages, text);
}

/** Confirmations beside the catalogue, for what the interface has no message for. */
export const notices = {
  email_changed: 'Your email address is changed.',
  password_changed:
    'Your password is changed. Other browsers are signed out, and permissions of applications have ended.',
  signed_out: 'You are signed out.',
  contract_ended: 'The contract has ended.',
  app_deleted: 'The application is deleted, with its monitors and its tokens.',
  permission_withdrawn: 'The permission is withdrawn; its tokens no longer work.',
  delivery_on: 'Callbacks of this monitor are delivered again.',
  event_resent: 'The event is sent once more, under its own id.',
} as const satisfies Record<string, string>;

export type NoticeId = keyof typeof notices;
/** What may stand above a page. */
export type BannerId = FeedbackId | NoticeId;

export function bannerOf(id: BannerId): Message {
  return isFeedbackId(id) ? feedbackMessages[id] : { kind: 'success', text: notices[id] };
}

export function isBannerId(text: string): text is BannerId {
  return isFeedbackId(text) || Object.hasOwn(notices, text);
}
