import type { FormEvent } from 'react';

/** For a form that code sends: the page stays. The focus goes to the first wrong field, or to the first one if the button loses it. */
export function submitBy(send: () => unknown) {
  return (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const find = (selector: string) => form.querySelector<HTMLElement>(selector);
    const refocus = () => {
      const isLost = document.activeElement?.matches('body, :disabled');
      const field = find('[aria-invalid="true"]') ?? (isLost ? find('input, textarea') : null);
      if (document.activeElement?.matches('body, button')) field?.focus();
    };
    void Promise.resolve(send()).finally(() => requestAnimationFrame(refocus));
  };
}
