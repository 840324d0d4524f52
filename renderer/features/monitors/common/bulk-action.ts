// What can be done with many monitors in a dialog.
import { plural } from '@rainbell/shared';

const titles = {
  callback: ['Set the callback URL for # monitor', 'Set the callback URL for # monitors'],
  tags: ['Change the tags for # monitor', 'Change the tags for # monitors'],
  test: ['Send a test event for # monitor', 'Send a test event for # monitors'],
  pause: ['Pause # monitor', 'Pause # monitors'],
  resume: ['Resume # monitor', 'Resume # monitors'],
  rain: ['Make it rain near # monitor', 'Make it rain near # monitors'],
} as const;
export type BulkAction = keyof typeof titles;

/** The title of an action and its button: `Move 3 monitors`. */
export function bulkTitle(action: BulkAction, count: number): string {
  return plural(count, titles[action]);
}
