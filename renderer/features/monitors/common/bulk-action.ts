// What can be done with many monitors in a dialog.
import { plural } from '@rainbell/shared';

export type BulkAction = 'callback' | 'tags' | 'test' | 'pause' | 'resume' | 'rain';

/** The title of an action and its button: `Move 3 monitors`. */
export function bulkTitle(action: BulkAction, count: number): string {
  switch (action) {
    case 'callback':
      return plural(count, ['Set the callback URL for # monitor', 'Set the callback URL for # monitors']);
    case 'tags':
      return plural(count, ['Change the tags for # monitor', 'Change the tags for # monitors']);
    case 'test':
      return plural(count, ['Send a test event for # monitor', 'Send a test event for # monitors']);
    case 'pause':
      return plural(count, ['Pause # monitor', 'Pause # monitors']);
    case 'resume':
      return plural(count, ['Resume # monitor', 'Resume # monitors']);
    case 'rain':
      return plural(count, ['Make it rain near # monitor', 'Make it rain near # monitors']);
  }
}
