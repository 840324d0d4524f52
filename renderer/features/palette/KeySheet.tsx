// The sheet of shortcuts (?): every key of the app, grouped by its context; the groups of this screen are first.
import { allCommands, type Command, type CommandContext, contextParents, contextTitles } from '@rainbell/shared';
import type { Screen } from '../../store/app-state.ts';
import { useApp } from '../../store/use-app.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { KeyText } from '../../ui/text/KeyText.tsx';
import classes from './KeySheet.module.css';

export function KeySheet() {
  const open = useApp((state) => state.commands.openSheet);
  const screen = useApp((state) => state.frame.screen);
  const isDesktop = useApp((state) => state.frame.status?.host === 'electron');
  return (
    <Dialog title="Keyboard shortcuts" size="960px" onClose={() => open(false)}>
      <div className={classes.groups}>
        {groupsFor(screen, isDesktop).map(({ context, commands }) => (
          <section key={context} aria-label={contextTitles[context]}>
            <h3>{contextTitles[context]}</h3>
            <dl>
              {commands.map(({ title, keys }) => (
                <div key={title} className={`rb-row ${classes.row}`}>
                  <dt>{title}</dt>
                  <dd className="rb-row rb-fixed">
                    {keys.map((key) => (
                      <KeyText key={key} of={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="rb-note">Keys without Ctrl or ⌘ don’t work while you type in a field or while a dialog is open.</p>
    </Dialog>
  );
}

type Group = { context: CommandContext; commands: { title: string; keys: readonly string[] }[] };

function groupsFor(screen: Screen, isDesktop: boolean): readonly Group[] {
  const all: readonly Command[] = Object.values(allCommands);
  const contexts = Object.keys(contextTitles) as CommandContext[];
  return contexts
    .toSorted((one, other) => Number(isOf(other, screen)) - Number(isOf(one, screen)))
    .map((context) => ({
      context,
      commands: all
        .filter((command) => command.context === context)
        .map(({ title, keys, accelerator }) => ({
          title,
          keys: keys ?? (isDesktop && accelerator !== undefined ? [accelerator] : []),
        }))
        .filter(({ keys }) => keys.length > 0),
    }))
    .filter(({ commands }) => commands.length > 0);
}

/** Whether a context is the screen's own or inside it. */
function isOf(context: CommandContext | null, screen: Screen): boolean {
  return context !== null && (context === screen || isOf(contextParents[context], screen));
}
