// Shortcuts as this computer's keyboard labels them.
import { type Command, withKey } from '@rainbell/shared';

export const isMac = navigator.userAgent.includes('Mac');

/** Returns a tooltip's text: the label, and the command's first key in parentheses. */
export function labelWithKey(label: string, command: Command): string {
  return withKey(label, command, isMac);
}
