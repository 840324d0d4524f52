// Which commands the screens on show can run, and how keys and the palette reach them. A screen offers its commands while it is
// mounted (`useCommands`), so no feature imports another.
import type { SliceTools } from './slice.ts';

export type OfferedCommand = { keys: readonly string[]; run: () => void };

export interface CommandsSlice extends ReturnType<typeof createCommandsSlice> {}

export function createCommandsSlice({ change }: SliceTools<CommandsSlice>) {
  const offers: ReadonlyMap<string, OfferedCommand>[] = [];
  let awaited: string | undefined;
  const find = (id: string) => offers.findLast((commands) => commands.has(id))?.get(id);
  const run = (id: string): boolean => {
    const command = find(id);
    command?.run();
    return command !== undefined;
  };
  return {
    onConnectionChange: { does: 'keep', because: 'the commands of the screens come from the app' } as const,
    /** Whether the sheet of shortcuts is open. */
    isSheetOpen: false,
    openSheet: (isSheetOpen: boolean): void => change({ isSheetOpen }),
    /** Returns the function that withdraws them. Of two offers of one key, the later one gets it. */
    offer(commands: ReadonlyMap<string, OfferedCommand>): () => void {
      offers.push(commands);
      if (awaited !== undefined && commands.has(awaited)) {
        const id = awaited;
        awaited = undefined;
        // After the screen's own effects, such as those that keep its field's element.
        queueMicrotask(() => run(id));
      }
      return () => {
        const place = offers.indexOf(commands);
        if (place >= 0) offers.splice(place, 1);
      };
    },
    isOffered: (id: string): boolean => find(id) !== undefined,
    /** The newest offered command with this key. */
    findByKey(key: string): OfferedCommand | undefined {
      for (const commands of offers.toReversed()) {
        for (const command of commands.values()) if (command.keys.includes(key)) return command;
      }
      return undefined;
    },
    /** Returns whether it is offered now. */
    run,
    /** Runs it as soon as a screen that is loading offers it; another call replaces this one. */
    runWhenOffered(id: string): void {
      awaited = run(id) ? undefined : id;
    },
  };
}
