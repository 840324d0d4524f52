// Runs a command by its ID, from the palette or a menu. Commands that belong to a screen run there: the palette opens the screen, and
// the screen runs them as soon as it is loaded (`useCommands`).
import {
  type appCommands,
  type CommandContext,
  type CommandId,
  commandIds,
  commandOf,
  contextParents,
  type helpPageCommands,
  type sandboxCommands,
  type screenCommands,
} from '@rainbell/shared';
import type { AppStore } from '../../store/app-state.ts';
import { type Screen, screens } from '../../store/screens.ts';
import { shownPlace } from '../../store/shown.ts';
import { holdTyping } from './hold-typing.ts';
import { formatPlace } from '../../ui/text/format-place.ts';

type Actions<Table> = { readonly [Id in keyof Table]: () => unknown };
type Listed = 'monitors.new' | 'monitors.import' | 'callbacks.newest' | 'callbacks.rules' | 'palette.open';

const rainMinutes = 20;

function createActions(store: AppStore) {
  const state = () => store.getState();
  const go = (screen: Screen) => state().frame.goTo(screen);
  const help = (page: string, section?: string) => {
    go('help');
    state().help.open(page, section);
  };
  return {
    'go.forecast': () => go('forecast'),
    'go.monitors': () => go('monitors'),
    'go.callbacks': () => go('callbacks'),
    'go.access': () => go('access'),
    'go.traffic': () => go('traffic'),
    'go.sandbox': () => go('sandbox'),
    'go.connections': () => go('connections'),
    'go.settings': () => go('settings'),
    'go.help': () => go('help'),
    'palette.open': () => state().frame.openPalette(true),
    'monitors.new': () => state().monitors.openDialog({ kind: 'create', at: null }),
    'monitors.import': () => state().monitors.openDialog({ kind: 'import' }),
    'callbacks.newest': () => openNewest(store),
    'callbacks.rules': () => state().rules.open(true),
    'connections.new': () => state().connections.openEditor({ kind: 'create' }),
    'sandbox.rain': () => {
      const { name, geo } = rainTarget(store);
      return state().sandbox.addScenario({ center: geo, minutes: rainMinutes }, name);
    },
    'sandbox.clear': () => state().sandbox.clearScenarios(),
    'sandbox.hour': () => state().sandbox.moveClock({ kind: 'advance', seconds: 3600 }),
    'help.about': () => help('about'),
    'help.start': () => store.getState().firstMinute.open(),
    'help.report': () => help('data', 'report-a-problem'),
  } satisfies Actions<typeof screenCommands & typeof appCommands & typeof sandboxCommands & typeof helpPageCommands> &
    Record<Listed, () => unknown>;
}

/** Runs it now, or on its screen as soon as that is rendered. */
export function runCommand(store: AppStore, id: CommandId): void {
  const { commands, frame, callbacks } = store.getState();
  if (commandOf(id).focusesField) holdTyping(window);
  if (commands.run(id)) return;
  const actions: Partial<Record<CommandId, () => unknown>> = createActions(store);
  const action = actions[id];
  if (action) return void action();
  const screen = screenOf(commandOf(id).context);
  if (screen === undefined) return;
  // Commands of one callback mean the newest if none is open.
  if (id.startsWith('callback.') && callbacks.selectedId === null) void callbacks.select(callbacks.newestId());
  frame.goTo(screen);
  commands.runWhenOffered(id);
}

/** Runs what a menu names, if it is a command. */
export function runKnownCommand(store: AppStore, id: unknown): void {
  const known = commandIds.find((one) => one === id);
  if (known !== undefined) runCommand(store, known);
}

/** Whether the palette should list it: on its own screen, only what that screen can do now. */
export function isAvailable(store: AppStore, id: CommandId): boolean {
  const { commands, frame, callbacks } = store.getState();
  const { context, isKeyOnly } = commandOf(id);
  if (isKeyOnly) return false;
  if (/^sandbox\.|^go\.sandbox$/.test(id)) return frame.status?.connection.isSandbox === true;
  if (/^callback\.|^callbacks\.newest$/.test(id)) return callbacks.total > 0;
  if (commands.isOffered(id) || id in createActions(store)) return true;
  const screen = screenOf(context);
  return screen !== undefined && screen !== frame.screen;
}

/** A title that names what it acts on. */
export function titleOf(store: AppStore, id: CommandId): string {
  const { title } = commandOf(id);
  return id === 'sandbox.rain' ? `Make it rain for 20 minutes near ${rainTarget(store).name}` : title;
}

/** Returns the screen of a context. */
export function screenOf(context: CommandContext | null): Screen | undefined {
  if (context === null) return undefined;
  return screens.find((screen) => screen === context) ?? screenOf(contextParents[context]);
}

/** The open monitor, otherwise the place of the forecast. */
function rainTarget(store: AppStore): { name: string; geo: { lat: number; lng: number } } {
  const { frame, monitors } = store.getState();
  const monitor = frame.screen === 'monitors' ? monitors.items.find(({ id }) => id === monitors.selectedId) : undefined;
  if (monitor) return { name: monitor.name || monitor.id, geo: monitor.geo };
  const place = shownPlace(store.getState());
  return { name: formatPlace(place), geo: { lat: place.lat, lng: place.lng } };
}

async function openNewest(store: AppStore): Promise<void> {
  store.getState().frame.goTo('callbacks');
  await store.getState().callbacks.loadNew();
  const { callbacks } = store.getState();
  if (callbacks.newestId() > 0) await callbacks.select(callbacks.newestId());
}
