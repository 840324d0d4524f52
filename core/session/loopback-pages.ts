// The pages that the user's browser shows at the loopback redirect: one that sends the fragment on, which browsers don't send
// (docs/interface.md §4.1, implicit), and one with the result. Untrusted text is always escaped, and only our script runs.
import type { OutgoingHttpHeaders } from 'node:http';

export type PageResult = { isGood: boolean; message: string };

export type Page = { headers: OutgoingHttpHeaders; html: string };

/** Reads the fragment, clears the address bar, and posts it back with the nonce. Without a fragment nothing is sent. */
export function relayPage(nonce: string): Page {
  const script = `
const fragment = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const words = document.querySelector('p');
if (fragment === '') words.textContent = 'No response was received. Go back to the sign-in page, or start again in Rainbell.';
else fetch(location.pathname, {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-rainbell-relay': '${nonce}' },
  body: fragment,
}).then((answer) => answer.text(), () => 'Rainbell is no longer waiting for this response. Start the sign-in again in Rainbell.')
  .then((text) => { words.textContent = text; });`;
  return page('Returning to Rainbell…', script, nonce);
}

export function endPage(result: PageResult, nonce: string): Page {
  return page(formatResultPage(result), "history.replaceState(null, '', location.pathname);", nonce);
}

/** For the relay page, which puts it in as text. */
export function formatResultPage({ isGood, message }: PageResult): string {
  return isGood ? 'Rainbell received the response. You can close this page.' : `${message} You can close this page.`;
}

function page(text: string, script: string, nonce: string): Page {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Rainbell</title>
<style nonce="${nonce}">body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Rainbell</h1><p role="status">${escapeHtml(text)}</p><script nonce="${nonce}">${script}</script></html>`;
  const headers = {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    connection: 'close',
  };
  return { headers, html };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
