/** As a field's `ref`: the user opened the field to type, so it gets the focus as soon as it is rendered. */
export function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
