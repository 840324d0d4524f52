// What can be done with many monitors in a dialog.
import { plural } from '#shared/text/plural.ts';

export type BulkAction = 'callback' | 'move' | 'duplicate' | 'tags' | 'note' | 'test' | 'rain';

/** The title of an action and its button: `Move 3 monitors`. */
export function bulkTitle(action: BulkAction, count: number): string {
  switch (action) {
    case 'callback':
      return plural(count, ['Set the callback URL of # monitor', 'Set the callback URL of # monitors']);
    case 'move':
      return plural(count, ['Move # monitor', 'Move # monitors']);
    case 'duplicate':
      return plural(count, ['Duplicate # monitor', 'Duplicate # monitors']);
    case 'tags':
      return plural(count, ['Change the tags of # monitor', 'Change the tags of # monitors']);
    case 'note':
      return plural(count, ['Set the note of # monitor', 'Set the note of # monitors']);
    case 'test':
      return plural(count, ['Send a test event to # monitor', 'Send a test event to # monitors']);
    case 'rain':
      return plural(count, ['Make it rain on # monitor', 'Make it rain on # monitors']);
  }
}
