// Which commands the screens on show can run, and how keys and the palette reach them. A screen offers its commands while it is
// mounted (`useCommands`), so no feature imports another.
import type { Slice, SliceTools } from './slice.ts';

export type OfferedCommand = { keys: readonly string[]; run: () => void };

export type CommandsSlice = {
  /** Whether the sheet of shortcuts is open. */
  isSheetOpen: boolean;
  openSheet(isSheetOpen: boolean): void;
  /** Returns the function that withdraws them. Of two offers of one key, the later one gets it. */
  offer(commands: ReadonlyMap<string, OfferedCommand>): () => void;
  isOffered(id: string): boolean;
  /** The newest offered command with this key. */
  findByKey(key: string): OfferedCommand | undefined;
  /** Returns whether it is offered now. */
  run(id: string): boolean;
  /** Runs it as soon as a screen that is loading offers it; another call replaces this one. */
  runWhenOffered(id: string): void;
};

export function createCommandsSlice({ change }: SliceTools<CommandsSlice>): Slice<CommandsSlice> {
  const offers: ReadonlyMap<string, OfferedCommand>[] = [];
  let awaited: string | undefined;
  const find = (id: string) => offers.findLast((commands) => commands.has(id))?.get(id);
  const run = (id: string) => {
    const command = find(id);
    command?.run();
    return command !== undefined;
  };
  return {
    onConnectionChange: { does: 'keep', because: 'the commands of the screens come from the app' },
    isSheetOpen: false,
    openSheet: (isSheetOpen) => change({ isSheetOpen }),
    offer(commands) {
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
    isOffered: (id) => find(id) !== undefined,
    findByKey(key) {
      for (const commands of offers.toReversed()) {
        for (const command of commands.values()) if (command.keys.includes(key)) return command;
      }
      return undefined;
    },
    run,
    runWhenOffered(id) {
      awaited = run(id) ? undefined : id;
    },
  };
}
