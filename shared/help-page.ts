// A help page, as built by scripts/help-pages.mjs from Markdown: text, or an element with its children.

export type HelpTag =
  | 'p'
  | 'ul'
  | 'ol'
  | 'li'
  | 'strong'
  | 'em'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td';

/** `to`: a link into the app (`#/…`) or to a web page. */
export type HelpNode = string | readonly [HelpTag | { to: string }, ...HelpNode[]];

/** `id` is empty for the page itself, otherwise the section's name in `?at=`. */
export type HelpSection = { id: string; depth: number; title: string; body: HelpNode[] };

export type HelpPage = { name: string; title: string; file: string; sections: HelpSection[] };

/** Returns the text of a section without its elements, for the search. */
export function textOfNodes(nodes: readonly HelpNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const [tag, ...inner] = node as readonly [unknown, ...HelpNode[]];
      const isInline = tag === 'strong' || tag === 'em' || tag === 'code' || typeof tag === 'object';
      return isInline ? textOfNodes(inner) : ` ${textOfNodes(inner)} `;
    })
    .join('');
}
