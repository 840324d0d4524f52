// Builds the screens in a pseudo-locale: every text of the catalog with accents and 40% longer, so that a text without accents is
// not in the catalog, and a layout that has no room for another language breaks.
import { relative } from 'node:path';
import { createBuilder, type Plugin } from 'vite';
import { hasMessages, messagesOf } from '#scripts/messages.mjs';
import { projectFolder } from '#scripts/tool.mjs';

type Compile = (message: string, fallback: string) => unknown;

// wuchale would write compiled catalogs into the checkout. Only its parser of placeholders is needed.
const { compileTranslation } = (await import(new URL('compile.js', import.meta.resolve('wuchale')).href)) as {
  compileTranslation: Compile;
};

/** `Save {0}` → `Şåṽé {0} ẽẽ`: the letters have accents, and 40% are added; placeholders, tags, and `#` stay. */
export function toPseudoLocale(message: string): string {
  const parts = message.split(/(\{\w+\}|<\/?\d+\/?>)/);
  const accented = parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[a-z]/gi, withAccent)));
  const length = parts.filter((_, index) => index % 2 === 0).join('').length;
  // Separated by spaces, so that lines can break as in a translation.
  const padding = 'ẽẽẽẽẽẽ '.repeat(Math.ceil(length / 7)).slice(0, Math.max(1, Math.ceil(length * 0.4) - 1));
  return `${accented.join('')} ${padding.trim()}`;
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accents = 'åƀçđéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';
const withAccent = (letter: string) => accents.charAt(letters.indexOf(letter));

const pseudoLocale: Plugin = {
  name: 'pseudo-locale',
  enforce: 'pre',
  async transform(content, id) {
    const file = relative(projectFolder, id);
    if (id.includes('/node_modules/') || !hasMessages(file)) return undefined;
    const found = await messagesOf(file, content);
    if (found.messages.length === 0) return undefined;
    const texts: unknown[] = [];
    for (const message of found.messages) {
      const [text = '', ...others] = message.msgStr.map(toPseudoLocale);
      texts[found.indexOf(message)] = others.length > 0 ? [text, ...others] : compileTranslation(text, text);
    }
    const header = [
      "import _lookup_ from 'wuchale/runtime';",
      `const _w_runtime_ = _lookup_({ c: ${JSON.stringify(texts)}, p: (count) => (count === 1 ? 0 : 1) }, 'en-XA');`,
    ];
    return { code: [...header, found.code].join('\n'), map: null };
  },
};

/** Builds the screens in the pseudo-locale into a folder. */
export async function buildPseudoLocale(folder: string): Promise<void> {
  const builder = await createBuilder({
    configFile: `${projectFolder}vite.config.ts`,
    plugins: [pseudoLocale],
    environments: {
      renderer: {
        build: {
          outDir: folder,
          emptyOutDir: true,
        },
      },
    },
  });
  const { renderer } = builder.environments;
  if (renderer) await builder.build(renderer);
}
