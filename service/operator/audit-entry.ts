// Writes the audit log's entry of a command: never its standard input or output.
import { userInfo } from 'node:os';
import type { AuditEntry } from '../accounts/audit-log.ts';
import type { OperatorCommand, OperatorFlags } from './command-line.ts';

const named = [
  'email',
  'name',
  'plan',
  'grace',
  'applications',
  'monitors',
  'operator',
  'public',
  'allow-password-grant',
  'require-pkce',
  'no-require-pkce',
  'unconfirmed',
  'pending',
] as const satisfies readonly (keyof OperatorFlags)[];

export function auditEntry({ subject, verb, target, flags }: OperatorCommand): AuditEntry {
  const details = Object.fromEntries(
    named.flatMap((name) => {
      const value = flags[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    via: 'command line',
    actor: systemUser(),
    action: `${subject} ${verb}`,
    target: target ?? flags.username ?? flags['client-id'] ?? flags.owner ?? '',
    details,
  };
}

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
