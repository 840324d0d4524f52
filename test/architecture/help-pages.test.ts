// The help: every link into it leads to a page and a section that exist, and the guide stays short enough to read.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpFiles, helpPage, readHelpPages, readLicenses } from '#scripts/help-pages.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import type { HelpNode } from '#shared/help-page.ts';

const pages = readHelpPages();

/** Returns what is wrong with a target such as `callbacks?at=search-callbacks`. */
function problemOf(target: string): string | undefined {
  const [name = '', section] = target.split('?at=');
  const page = pages.find((one) => one.name === name);
  if (!page) return name === 'about' && section === undefined ? undefined : `${target}: no such page`;
  return section === undefined || page.sections.some(({ id }) => id === section)
    ? undefined
    : `${target}: no such section`;
}

const linksIn = (nodes: readonly HelpNode[]): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    const [tag, ...inner] = node;
    return [...(typeof tag === 'object' ? [tag.to] : []), ...linksIn(inner as HelpNode[])];
  });

describe('the help', () => {
  it('has a section for each “Learn more” of the app', () => {
    const targets = globSync('{renderer,electron}/**/*.{ts,tsx}', { cwd: projectFolder }).flatMap((file) => {
      const text = readFileSync(`${projectFolder}${file}`, 'utf8');
      return [...text.matchAll(/<LearnMore\s+to="([^"]+)"|#\/help\/([\w-]+(?:\?at=[\w-]+)?)/g)].map(
        ([, to, hash]) => to ?? hash ?? '',
      );
    });
    expect(targets.length).toBeGreaterThan(8);
    expect(targets.flatMap((target) => problemOf(target) ?? [])).toEqual([]);
  });

  it('has pages whose links lead somewhere', () => {
    const links = pages.flatMap(({ sections }) => sections.flatMap(({ body }) => linksIn(body)));
    const inside = links.flatMap((link) => /^#\/help\/(.+)$/.exec(link)?.[1] ?? []);
    expect(inside.length).toBeGreaterThan(20);
    expect(inside.flatMap((target) => problemOf(target) ?? [])).toEqual([]);
    expect(links.filter((link) => !/^(#\/help\/|https?:)/.test(link))).toEqual([]);
  });

  it('has guide pages of at most 200 lines, all of them in the contents', () => {
    const files = ['docs/user-guide.md', ...globSync('docs/guide/*.md', { cwd: projectFolder })];
    expect(files.filter((file) => readFileSync(`${projectFolder}${file}`, 'utf8').split('\n').length > 200)).toEqual(
      [],
    );
    expect(files.filter((file) => !Object.values(helpFiles).includes(file))).toEqual([]);
  });

  it('becomes elements, and never HTML', () => {
    const text = '# T\n\n<script>alert(1)</script>\n\na <b onclick="x">b</b> [c](javascript:alert(1))\n';
    expect(() => helpPage('t', 'docs/user-guide.md', text)).toThrow("which doesn't exist");
    expect(helpPage('t', 'docs/user-guide.md', '# T\n\n<img src=x>\n\na <b>b</b> `<i>`').sections[0]?.body).toEqual([
      ['p', 'a ', 'b', ' ', ['code', '<i>']],
    ]);
  });

  it('lists production packages with their licenses, and no tool', () => {
    const names = readLicenses().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['react', 'fastify', 'undici', '@leeoniya/ufuzzy']));
    expect(names).not.toEqual(expect.arrayContaining(['vitest']));
    expect(readLicenses().filter(({ license, text }) => license === 'see its page' && text === '')).toEqual([]);
  });
});
