// Code on pages: highlighted on the server, with a button to copy it if the page has the script.
import { html, type SafeHtml } from '@remix-run/html-template';

/** `label` names the code for the button and for screen readers: "the request". `example`: an ID for tests. */
export function codeBlock(text: string, label: string, example = ''): SafeHtml {
  return html`<div class="code-block">
    <pre
      tabindex="0"
      role="region"
      aria-label="${label}"
    ><code data-copy="${label}" data-example="${example}">${highlight(text)}</code></pre>
  </div>`;
}

/** Shows one language at a time. The choice is a radio button, so that it works without a script. */
export function codeTabs(id: string, versions: readonly { language: string; name: string; code: string }[]): SafeHtml {
  return html`<div class="languages">
    ${versions.map(
      ({ language, name, code }, index) =>
        html`<label
            ><input type="radio" name="language-${id}" value="${language}" ${index === 0 ? html`checked` : ''} />
            ${name}</label
          >
          ${codeBlock(code, `${id} example, ${name}`, `${id}-${language}`)}`,
    )}
  </div>`;
}

const kinds = [
  ['c', /(?:^|(?<=\s))#.*|\/\/ .*/],
  ['s', /f?"(?:[^"\\\n]|\\.)*"|f?b?'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/],
  [
    'k',
    /\b(?:async|await|const|curl|def|export|function|if|import|new|npm|npx|print|return|throw|try|catch|true|false|null)\b/,
  ],
] as const;
const anyKind = new RegExp(kinds.map(([kind, pattern]) => `(?<${kind}>${pattern.source})`).join('|'), 'gm');

/** Marks comments, strings, and keywords of shell, Python, TypeScript, and JSON alike. */
function highlight(text: string): SafeHtml[] {
  const parts: SafeHtml[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(anyKind)) {
    const kind = kinds.find(([name]) => groups[name] !== undefined)?.[0] ?? '';
    parts.push(html`${text.slice(end, index)}<span class="${kind}">${found}</span>`);
    end = index + found.length;
  }
  return [...parts, html`${text.slice(end)}`];
}
