/** As a `ref`: what the user asked for, such as a field to type into, gets the focus as soon as it is rendered. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
