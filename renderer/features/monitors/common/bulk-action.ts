// What can be done with many monitors in a dialog.
export const bulkTitles = {
  callback: 'Set the callback of',
  move: 'Move',
  duplicate: 'Duplicate',
  tags: 'Change the tags of',
  note: 'Set the note of',
  test: 'Send a test event to',
  rain: 'Make it rain on',
} as const;
export type BulkAction = keyof typeof bulkTitles;
