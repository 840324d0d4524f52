/** Shows a popover when it comes to the page, placed by its style beside the element before it. */
export function showBeside(popover: HTMLElement | null): void {
  const source = popover?.previousElementSibling;
  if (source instanceof HTMLElement) popover?.showPopover({ source });
}
