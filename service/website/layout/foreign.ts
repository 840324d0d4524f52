import { html, type SafeHtml } from '@remix-run/html-template';

/** A text of someone else within a line of ours: its direction of writing ends with it. */
export function foreign(text: string): SafeHtml {
  return html`<bdi>${text}</bdi>`;
}
