import type { KeyboardEvent } from 'react';

/**
 * Makes the branches in a scroll region one Tab stop: arrow keys move between their buttons, and open and close them. Each button has
 * its depth as `data-level`, and a negative `tabIndex`.
 */
export function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const tree = event.currentTarget;
  const items = [...tree.querySelectorAll<HTMLElement>('[data-level]')];
  const item = document.activeElement instanceof HTMLElement ? document.activeElement : tree;
  const at = items.indexOf(item);
  const isOpen = item.closest('details')?.open ?? item.ariaExpanded === 'true';
  const isAbove = (one: HTMLElement, place: number) =>
    place < at && Number(one.dataset['level']) < Number(item.dataset['level']);
  let next: HTMLElement | undefined;
  if (event.altKey || event.ctrlKey || event.metaKey || items.length === 0) return;
  if (at < 0 && event.key.startsWith('Arrow'))
    next = tree.querySelector<HTMLElement>('[data-here] [data-level]') ?? items[0];
  else if (event.key === 'ArrowDown') next = items[at + 1];
  else if (event.key === 'ArrowUp') next = items[at - 1];
  else if (event.key === 'ArrowLeft' && !isOpen) next = items.findLast(isAbove);
  else if (event.key === 'ArrowRight' && isOpen) next = items[at + 1];
  else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') item.click();
  else return;
  event.preventDefault();
  next?.focus();
}
