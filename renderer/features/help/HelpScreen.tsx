// The user guide, the interface reference, what is new, and what Rainbell is made of: searchable, and without a network.
import { helpCommands, type HelpNode, type HelpPage, type HelpTag, plural, textOfNodes } from '@rainbell/shared';
import { Anchor, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { pages } from 'virtual:help-pages';
import { useApp } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { createFuzzySearch } from '../../ui/text/fuzzy-search.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';
import { maxSearchLength } from './help-link.ts';
import classes from './HelpScreen.module.css';

const About = lazy(async () => ({ default: (await import('./About.tsx')).About }));

/** The table of contents. */
const groups = (['User guide', 'Reference', 'Rainbell'] as const).map((title) => {
  const names = pages.filter((page) => groupOf(page) === title).map(({ name }) => name);
  return { title, names: title === 'Rainbell' ? [...names, 'about'] : names };
});

function groupOf({ file }: HelpPage) {
  if (file === 'CHANGELOG.md') return 'Rainbell';
  return /^docs\/(?:guide\/|user-guide)/.test(file) ? 'User guide' : 'Reference';
}

export function HelpScreen() {
  const { page: name, section, search, setSearch } = useApp((state) => state.help);
  const field = useRef<HTMLInputElement>(null);
  useCommands(helpCommands, { 'help.search': () => field.current?.focus() });
  const page = pages.find((one) => one.name === name);
  const searched = useDeferredValue(search.trim());
  return (
    <div className={classes.screen}>
      <h1 className="rb-hidden">Help</h1>
      <nav className={classes.contents} aria-label="Help contents" data-searching={searched !== '' || undefined}>
        <TextInput
          ref={field}
          type="search"
          aria-label="Search help"
          placeholder="Search help"
          title={labelWithKey('Search help', helpCommands['help.search'])}
          leftSection={<IconSearch aria-hidden />}
          maxLength={maxSearchLength}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {groups.map((group) => (
          <section key={group.title}>
            <h2 className="rb-note">{group.title}</h2>
            <ul>
              {group.names.map((one) => (
                <li key={one}>
                  <PageLink name={one} isHere={one === name && searched === ''} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <article
        className={classes.page}
        aria-label={searched === '' ? (page?.title ?? 'About Rainbell') : 'Search results'}
        translate={searched === '' && page ? 'no' : undefined}
      >
        {searched !== '' ? (
          <Found text={searched} />
        ) : name === 'about' ? (
          <Suspense fallback={<Skeleton height={400} />}>
            <About />
          </Suspense>
        ) : (
          <Page page={page} section={section} />
        )}
      </article>
    </div>
  );
}

function PageLink({ name, isHere }: { readonly name: string; readonly isHere: boolean }) {
  const open = useApp((state) => state.help.open);
  const title = name === 'about' ? 'About Rainbell' : (pages.find((page) => page.name === name)?.title ?? name);
  return (
    <UnstyledButton
      className={`rb-item ${classes.link}`}
      aria-current={isHere ? 'page' : undefined}
      onClick={() => open(name)}
      translate={name === 'about' ? undefined : 'no'}
    >
      {title}
    </UnstyledButton>
  );
}

function Page({ page, section }: { readonly page: HelpPage | undefined; readonly section: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const heading =
      section === '' ? null : frame.current?.querySelector<HTMLElement>(`[id="help-${CSS.escape(section)}"]`);
    if (heading) {
      heading.scrollIntoView({ block: 'start' });
      heading.focus({ preventScroll: true });
    } else frame.current?.closest('article')?.scrollTo({ top: 0 });
  }, [page, section]);
  if (!page) {
    return (
      <>
        <h2 className="rb-figure">Page not found</h2>
        <p>This page doesn’t exist. Choose a page from the contents, or search.</p>
      </>
    );
  }
  return (
    <div ref={frame} className={`rb-stack ${classes.text}`}>
      {page.sections.map(({ id, depth, title, body }) => {
        const Heading = depth <= 2 ? 'h2' : depth === 3 ? 'h3' : 'h4';
        return (
          <section key={id} className={`rb-column ${depth === 2 ? 'rb-part' : ''}`} aria-label={title}>
            <Heading
              id={id === '' ? undefined : `help-${id}`}
              className={depth === 1 ? 'rb-figure' : undefined}
              tabIndex={-1}
            >
              {title}
            </Heading>
            <HelpText nodes={body} />
          </section>
        );
      })}
    </div>
  );
}

function Found({ text }: { readonly text: string }) {
  const open = useApp((state) => state.help.open);
  const found = useMemo(() => searchHelp(text), [text]);
  return (
    <>
      <h2 className="rb-figure">Search results</h2>
      <p role="status" className="rb-dim">
        {found.length === 0
          ? `No results for “${text}”. Try another word.`
          : plural(found.length, ['# result for “{text}”', '# results for “{text}”'], { text })}
      </p>
      <ul className={classes.found}>
        {found.map(({ page, section, excerpt }) => (
          <li key={`${page.name} ${section.id}`}>
            <UnstyledButton className="rb-item rb-lined" onClick={() => open(page.name, section.id)}>
              <span className="rb-note">{page.title}</span>
              <strong>{section.title}</strong>
              <span className="rb-dim">{excerpt}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  );
}

const maxFound = 30;
const excerptLength = 160;

const entries = pages.flatMap((page) =>
  page.sections.map((section) => ({
    page,
    section,
    title: `${page.title} ${section.title}`,
    text: textOfNodes(section.body).replaceAll(/\s+/g, ' ').trim(),
  })),
);
const byTitle = createFuzzySearch(entries.map(({ title }) => title));
const byText = createFuzzySearch(entries.map(({ title, text }) => `${title} ${text}`));

/** Finds sections by words, also with a typing error. Those whose title matches come first. */
function searchHelp(query: string) {
  const wanted = query.toLowerCase().split(/\s+/);
  const exact = entries.flatMap(({ text, title }, place) =>
    wanted.every((word) => `${title} ${text}`.toLowerCase().includes(word)) ? [place] : [],
  );
  const places = new Set([...byTitle.find(query), ...exact, ...(exact.length > 0 ? [] : byText.find(query))]);
  return [...places].slice(0, maxFound).flatMap((place) => {
    const entry = entries[place];
    return entry ? [{ ...entry, excerpt: excerptOf(entry.text, wanted) }] : [];
  });
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), text.length),
  );
  const from = at === text.length || at < 60 ? 0 : text.lastIndexOf(' ', at - 40) + 1;
  const excerpt = text.slice(from, from + excerptLength);
  return `${from > 0 ? '…' : ''}${excerpt}${from + excerptLength < text.length ? '…' : ''}`;
}

/** The help's tree (help-page.ts) as elements. */
function HelpText({ nodes }: { readonly nodes: readonly HelpNode[] }) {
  return nodes.map((node, place) => <Fragment key={place}>{draw(node)}</Fragment>);
}

function draw(node: HelpNode): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, ...inner] = node as readonly [HelpTag | { to: string }, ...HelpNode[]];
  const children = <HelpText nodes={inner} />;
  if (typeof tag === 'object') {
    const isOutside = !tag.to.startsWith('#');
    return (
      <Anchor href={tag.to} {...(isOutside && { target: '_blank', rel: 'noreferrer' })}>
        {children}
      </Anchor>
    );
  }
  if (tag === 'pre') {
    return (
      // Keyboard users scroll what is wider than the page.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <pre className="rb-code" tabIndex={0}>
        {children}
      </pre>
    );
  }
  if (tag === 'table') {
    return (
      <div className="rb-surface">
        <table className="rb-table">{children}</table>
      </div>
    );
  }
  if (tag === 'code') return <code className="rb-code">{children}</code>;
  const Tag = tag;
  return <Tag className={tag === 'ul' || tag === 'ol' ? 'rb-bullets' : undefined}>{children}</Tag>;
}
