// Why a store did not write: a rule of uniqueness or of belonging, for the form or the command line to put into words.

export type RefusalKind =
  | 'username_taken'
  | 'email_taken'
  | 'plan_subscribed'
  | 'contract_unknown'
  | 'contract_in_use'
  | 'changed_meanwhile'
  | 'link_used'
  | 'application_limit'
  | 'monitor_limit'
  | 'unknown'
  | 'sandbox';

export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, options?: ErrorOptions) {
    super(refusalMessages[kind], options);
    this.kind = kind;
  }
}

const refusalMessages: Readonly<Record<RefusalKind, string>> = {
  username_taken: 'This username is already taken; choose another one.',
  email_taken: 'This email address is already taken; every account needs its own.',
  plan_subscribed: 'This account has a contract with that plan already.',
  contract_unknown: 'This account has no such contract.',
  contract_in_use: 'An application stands on this contract; it cannot end before that application does.',
  changed_meanwhile: 'Somebody changed this in the meantime; look at it again and repeat what you meant.',
  application_limit: 'This account has as many applications as it may have. Delete one, or ask the operator for more.',
  monitor_limit: 'This account has as many monitors as it may have. Delete some, or ask the operator for more.',
  link_used: 'This link was used already, or it has expired. Request a new one.',
  unknown: 'There is no such account or application.',
  sandbox:
    'The sandbox keeps its credentials, so that they can be shown at every start; make an application of your own.',
};
