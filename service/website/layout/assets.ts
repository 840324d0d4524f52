// The website's few files: one stylesheet, one script, the logo, the font. All are served from memory, so that many requests
// cost little. The URLs of stylesheet and script contain their hash, so they can be cached forever.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { once } from '@rainbell/shared';
import { stylesheet } from './stylesheet.ts';

/**
 * Copies code and credentials, and remembers the language of the examples. Pages work without it. The pages on which users type a
 * password or grant access don't have it (`hasScript` in page.ts). A string, because the bundled service has no files next to its source.
 */
const siteScript = `'use strict';
for (const target of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + target.dataset.copy);
  button.addEventListener('click', async () => {
    const range = document.createRange();
    range.selectNodeContents(target);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    // Only secure pages have a clipboard; elsewhere the selection is copied as a key would.
    const isCopied = await (navigator.clipboard
      ? navigator.clipboard.writeText(target.textContent).then(() => true, () => false)
      : document.execCommand('copy'));
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  target.closest('pre, p').after(button);
}
const languages = document.querySelectorAll('.languages input');
const choose = (language) => {
  for (const input of languages) if (input.value === language) input.checked = true;
};
choose(localStorage.getItem('language'));
for (const input of languages) {
  input.addEventListener('change', () => {
    const { top } = input.getBoundingClientRect();
    localStorage.setItem('language', input.value);
    choose(input.value);
    // Examples above that changed their height don't move this one.
    scrollBy({ top: input.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}
`;

export const stylesheetPath = `/assets/${nameOf(stylesheet)}.css`;
export const scriptPath = `/assets/${nameOf(siteScript)}.js`;

function nameOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

const sign =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
  '<path d="M9.2 21.4c1.3-1.1 1.9-2.6 1.9-4.5v-2.1a4.9 4.9 0 0 1 9.8 0v2.1c0 1.9.6 3.4 1.9 4.5z" fill="none" stroke="#fff" ' +
  'stroke-width="2" stroke-linejoin="round"/><path d="M14 24.4a2.2 2.2 0 0 0 4 0M16 9.9V8.2M7.4 9.2 6 12.2M24.6 9.2l1.4 3" ' +
  'fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

const forEver = 'public, max-age=31536000, immutable';

export function registerAssets(server: FastifyInstance): void {
  const readTypeface = once(() =>
    readFileSync(
      createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    ),
  );
  const serve = (path: string, type: string, cacheControl: string, read: () => string | Buffer) =>
    server.get(path, (_request, reply) => reply.header('cache-control', cacheControl).type(type).send(read()));
  serve(stylesheetPath, 'text/css; charset=utf-8', forEver, () => stylesheet);
  serve(scriptPath, 'text/javascript; charset=utf-8', forEver, () => siteScript);
  serve('/assets/rainbell.svg', 'image/svg+xml', 'public, max-age=86400', () => sign);
  serve('/assets/inter.woff2', 'font/woff2', forEver, readTypeface);
  server.get('/favicon.ico', (_request, reply) => reply.redirect('/assets/rainbell.svg', 301));
}
