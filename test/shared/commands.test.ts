// The one table of commands: every key means one thing, wherever it is pressed.
import { describe, expect, it } from 'vitest';
import { type CommandId, commandIds, commandOf, contextTitles } from '#shared/commands/all-commands.ts';
import { type CommandContext, contextParents, formatKey, keyNameOf } from '#shared/commands/command.ts';

const contextsAround = (context: CommandContext | null): readonly CommandContext[] =>
  context === null ? [] : [context, ...contextsAround(contextParents[context])];

/** Keys of a control override those of its screen, which work again when the control loses the focus. */
const meet = (one: CommandId, other: CommandId): boolean =>
  contextsAround(commandOf(one).context).includes(commandOf(other).context);

describe('the table of commands', () => {
  it('has no key twice in one place', () => {
    const conflicts = commandIds.flatMap((one) =>
      commandIds
        .filter((other) => other !== one && meet(one, other))
        .flatMap((other) =>
          (commandOf(one).keys ?? [])
            .filter((key) => commandOf(other).keys?.includes(key))
            .map((key) => `${key}: ${one} and ${other}`),
        ),
    );
    expect(conflicts).toEqual([]);
  });

  it('has no title twice in one context, and none that is not a short verb phrase', () => {
    const titles = commandIds.map((id) => `${commandOf(id).context}: ${commandOf(id).title}`);
    expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([]);
    expect(commandIds.filter((id) => !/^[A-Z].{2,59}[^.]$/u.test(commandOf(id).title))).toEqual([]);
  });

  it('writes keys as key presses read', () => {
    const names = commandIds.flatMap((id) => commandOf(id).keys ?? []);
    const unknown = names.filter(
      (name) =>
        !/^(Mod\+)?(Shift\+)?(F\d+|Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Enter|Escape|Space|Delete)$/.test(
          name,
        ) && !/^(Mod\+)?[^a-z]$/.test(name),
    );
    expect(unknown).toEqual([]);
    expect(commandIds.filter((id) => !(commandOf(id).context in contextTitles))).toEqual([]);
  });

  it.each([
    [{ key: 'r' }, 'R'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'k', metaKey: true }, 'Mod+K'],
    [{ key: 'ArrowLeft', shiftKey: true }, 'Shift+ArrowLeft'],
    [{ key: ' ' }, 'Space'],
    [{ key: 'f', altKey: true }, undefined],
  ])('names the press %o %s', (pressed, name) => {
    const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
    expect(keyNameOf({ ...none, ...pressed })).toBe(name);
  });

  it('names a character that needs AltGr without modifiers', () => {
    expect(keyNameOf({ key: ']', shiftKey: false, ctrlKey: true, metaKey: false, altKey: true }, true)).toBe(']');
  });

  it('is the list of keys in the guide', async () => {
    await expect(keyGuide()).toMatchFileSnapshot('../../docs/guide/keys.md');
  });

  it('shows keys as the keyboard labels them', () => {
    expect([formatKey('Mod+K', false), formatKey('Mod+K', true), formatKey('Shift+ArrowLeft', false)]).toEqual([
      'Ctrl+K',
      '⌘K',
      'Shift+←',
    ]);
  });
});

/** docs/guide/keys.md; `npx vitest run test/shared/commands.test.ts -u` writes it. */
function keyGuide(): string {
  const cell = (keys: readonly string[]) => keys.map((key) => `\`${formatKey(key, false)}\``).join(', ');
  const sections = (Object.keys(contextTitles) as CommandContext[]).flatMap((context) => {
    const rows = commandIds
      .map(commandOf)
      .filter((command) => command.context === context && command.keys !== undefined)
      .map(({ title, keys = [] }) => `| ${cell(keys)} | ${title} |`);
    return rows.length === 0
      ? []
      : [`## ${contextTitles[context]}\n| keys | action |\n|---|---|\n${rows.join('\n')}\n`];
  });
  const menu = commandIds
    .map(commandOf)
    .flatMap(({ title, accelerator }) =>
      accelerator !== undefined && !accelerator.endsWith('K') ? [`| ${cell([accelerator])} | ${title} |`] : [],
    );
  return `${keyIntroduction}\n${sections.join('\n')}\n## Desktop app\n| keys | action |\n|---|---|\n${menu.join('\n')}\n`;
}

const keyIntroduction = `# Keyboard shortcuts
Press \`?\` in the app for this list. Single keys don't work while you type in a field or while a dialog is open. On a Mac,
\`Ctrl\` is \`⌘\`.
`;
