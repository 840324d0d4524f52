// The website's only script: copies code and credentials, and remembers the language of the examples. Pages work without it. The
// pages on which users type a password or grant access don't have it (`hasScript` in page.ts). A string in a module, because the
// bundled service has no files next to its source.
export const siteScript = `'use strict';
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
