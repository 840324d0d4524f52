// Brings what has just appeared into view, where it appeared below the window's edge.
export function showNew(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
