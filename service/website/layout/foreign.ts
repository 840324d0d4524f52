// How users' own names are shown.
import { html, type SafeHtml } from '@remix-run/html-template';

/** Isolates the writing direction of a user's text from the line around it. */
export function foreign(text: string): SafeHtml {
  return html`<bdi>${text}</bdi>`;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the first character as displayed, so that an emoji stays complete: an application's picture. */
export function initialOf(name: string): string {
  const [first] = characters.segment(name);
  return first?.segment.toUpperCase() ?? '?';
}
