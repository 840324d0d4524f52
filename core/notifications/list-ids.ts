const maxShown = 3;

/** Formats IDs for a notification: at most three, and how many more there are. */
export function listIds(ids: readonly string[]): string {
  const shown = ids.slice(0, maxShown).join(', ');
  return ids.length > maxShown ? `${shown} and ${ids.length - maxShown} more` : shown;
}
