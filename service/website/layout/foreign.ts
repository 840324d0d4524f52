import { html, type SafeHtml } from '@remix-run/html-template';

/** Isolates the writing direction of a user's text from the line around it. */
export function foreign(text: string): SafeHtml {
  return html`<bdi>${text}</bdi>`;
}
