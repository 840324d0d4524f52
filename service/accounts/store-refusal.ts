// Why a store did not write: a violated uniqueness or ownership rule, for the form or the command line to describe.

import { ServiceError } from '../errors/service-error.ts';

export type RefusalKind =
  | 'username_taken'
  | 'email_taken'
  | 'plan_subscribed'
  | 'link_used'
  | 'application_limit'
  | 'monitor_limit'
  | 'unknown'
  | 'sandbox';

export class StoreRefusal extends ServiceError {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, options?: ErrorOptions) {
    const isLimit = kind === 'application_limit' || kind === 'monitor_limit';
    super(isLimit ? 'limit_reached' : 'conflict', refusalMessages[kind], options);
    this.kind = kind;
  }
}

const refusalMessages: Readonly<Record<RefusalKind, string>> = {
  username_taken: 'This username is already taken; choose another one.',
  email_taken: 'This email address is already taken; every account needs its own.',
  plan_subscribed: 'This account already has a contract for that plan.',
  application_limit:
    'This account has reached its application limit. Delete an application, or ask the operator for a higher limit.',
  monitor_limit:
    'This account has reached its monitor limit. Delete some monitors, or ask the operator for a higher limit.',
  link_used: 'This link was already used, or it has expired. Request a new one.',
  unknown: 'There is no such account or application.',
  sandbox:
    'The sandbox account and application cannot be changed or deleted, because the service shows their credentials each time it starts. Create your own application.',
};
