// One command of the app, as used by the palette, menus, tooltips, the shortcuts sheet, and the guide. The tables in this folder
// contain all of them, one file per part of the app, so that the first screen loads only its own.

/** Where a command's keys work. Each context has a parent; a dialog has none. */
export const contextParents = {
  everywhere: null,
  forecast: 'everywhere',
  chart: 'forecast',
  monitors: 'everywhere',
  'monitor table': 'monitors',
  callbacks: 'everywhere',
  'callback list': 'callbacks',
  traffic: 'everywhere',
  'request list': 'traffic',
  access: 'everywhere',
  sandbox: 'everywhere',
  connections: 'everywhere',
  settings: 'everywhere',
  help: 'everywhere',
  map: null,
} as const satisfies Record<string, string | null>;
export type CommandContext = keyof typeof contextParents;

export type Command = {
  /** Verb and object, as the palette shows it. */
  title: string;
  context: CommandContext;
  /**
   * Any of these keys, the first one shown: `KeyboardEvent.key` with `Shift+`, or `Mod+` for Ctrl (⌘ on a Mac). Characters have no
   * `Shift+`, because layouts differ in which ones need it.
   */
  keys?: readonly string[];
  /** For Electron's menu, if browsers reserve the keys. */
  accelerator?: string;
  /** Search terms in addition to the title. */
  keywords?: string;
  /** The palette can't run it: its keys belong to a control. */
  isKeyOnly?: true;
};

export type CommandTable = Readonly<Record<string, Command>>;

type InContext<Table> = { readonly [Id in keyof Table]: Table[Id] & { context: CommandContext } };

export function commandsIn<const Table extends Readonly<Record<string, Omit<Command, 'context'>>>>(
  context: CommandContext,
  table: Table,
): InContext<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([id, command]) => [id, { ...command, context }]),
  ) as InContext<Table>;
}

type KeyCommand = Command & { keys: readonly string[] };

export function keysIn<Id extends string>(
  context: CommandContext,
  table: Readonly<Record<Id, readonly [title: string, ...keys: string[]]>>,
): Readonly<Record<Id, KeyCommand>> {
  const entries = Object.entries<readonly [string, ...string[]]>(table).map(
    ([id, [title, ...keys]]): [string, KeyCommand] => [id, { title, context, keys, isKeyOnly: true }],
  );
  return Object.fromEntries(entries) as Record<Id, KeyCommand>;
}

type Pressed = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** Returns what was pressed in the notation of `keys`, or undefined for Alt, which belongs to menus. */
export function keyNameOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed,
  isAltGraph = false,
): string | undefined {
  const isCharacter = key.length === 1 && key !== ' ';
  // AltGr is reported as Ctrl and Alt, and only selects the character.
  if (isCharacter && isAltGraph) return key.toUpperCase();
  if (altKey) return undefined;
  const name = isCharacter ? key.toUpperCase() : key === ' ' ? 'Space' : key;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shiftKey && !isCharacter ? 'Shift+' : ''}${name}`;
}

const symbols: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  Delete: 'Del',
};

/** Returns the parts of a key as keyboards label them: `Mod+K` is `Ctrl`, `K`, and on a Mac `⌘`, `K`. */
export function keyParts(key: string, isMac: boolean): readonly string[] {
  const modifiers: string[] = [];
  let rest = key;
  for (const [prefix, label] of [
    ['Mod+', isMac ? '⌘' : 'Ctrl'],
    ['CmdOrCtrl+', isMac ? '⌘' : 'Ctrl'],
    ['Shift+', isMac ? '⇧' : 'Shift'],
  ] as const) {
    if (!rest.startsWith(prefix)) continue;
    modifiers.push(label);
    rest = rest.slice(prefix.length);
  }
  return [...modifiers, symbols[rest] ?? rest];
}

export function formatKey(key: string, isMac: boolean): string {
  return keyParts(key, isMac).join(isMac ? '' : '+');
}

/** Returns a tooltip's text: the label and the first key, as in `Fetch forecast (R)`. */
export function withKey(label: string, command: Command, isMac: boolean): string {
  const key = command.keys?.[0];
  return key === undefined ? label : `${label} (${formatKey(key, isMac)})`;
}
