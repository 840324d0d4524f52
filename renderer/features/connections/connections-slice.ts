// The saved connections, the one in use, and what a test of each found. A secret passes through to core and stays nowhere here.
import type { ConnectionFields, ConnectionTestStep, SavedConnection } from '#contract/app-rpc/connections.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type ConnectionTest = { request: Request; testedAt: string | null; steps: readonly ConnectionTestStep[] };

/** Which form is open. */
export type ConnectionEditor = { kind: 'create' } | { kind: 'edit'; connection: SavedConnection } | null;

/** Undefined keeps the secret, null deletes it. */
type SecretChange = string | null | undefined;

export type ConnectionsSlice = ConnectionActions & {
  /** The sandbox first, the others by name. */
  items: readonly SavedConnection[];
  /** Null until loaded from core. */
  selectedId: string | null;
  request: Request;
  selecting: Request;
  saving: Request;
  deleting: Request;
  editor: ConnectionEditor;
  tests: Readonly<Record<string, ConnectionTest>>;
  load(): Promise<void>;
  openEditor(editor: ConnectionEditor): void;
};

export type ConnectionActions = {
  select(id: string): Promise<void>;
  create(fields: ConnectionFields, clientSecret: string | null): Promise<boolean>;
  update(id: string, changes: Partial<ConnectionFields>, clientSecret: SecretChange): Promise<boolean>;
  delete(id: string): Promise<boolean>;
  test(id: string): Promise<void>;
};

const loadActions = laterModule(() => import('./connection-actions.ts'));

export function createConnectionsSlice(
  tools: SliceTools<ConnectionsSlice>,
  others: OtherSlices,
): Slice<ConnectionsSlice> {
  const { client, change } = tools;
  return {
    onConnectionChange: {
      does: 'keep',
      because: 'it lists all connections; each test is stored under the ID of its connection',
    },
    items: [],
    selectedId: null,
    request: idle,
    selecting: idle,
    saving: idle,
    deleting: idle,
    editor: null,
    tests: {},
    load: oneAtATime(async () => {
      const list = await runCancelableRequest(
        (request) => change({ request }),
        (signal) => client.connections.list(undefined, { signal }),
      );
      if (list) change({ items: list.connections, selectedId: list.selectedId });
    }),
    openEditor: (editor) => change({ editor, saving: idle }),
    ...laterActions(
      { select: true, create: true, update: true, delete: true, test: true },
      loadActions,
      ({ createConnectionActions }) => createConnectionActions(tools, others),
    ),
  };
}
