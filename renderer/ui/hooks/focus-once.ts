/** As a field's `ref`: who asks for the field wants to type into it, so it has the focus as soon as it is there. */
export function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
