/** As a `ref`: scrolls a new element into view if it appeared below the window's edge. */
export function showNew(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
