// The saved connections, the one in use, and what a test of each found. A secret passes through to core and stays nowhere here.
import { plural } from '@rainbell/shared';
import type { ConnectionFields, ConnectionTestStep, SavedConnection } from '@rainbell/contract/app-rpc';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest, runRequest } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';
import { failedToast } from '../../store/toasts-slice.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';

export type ConnectionTest = { request: Request; testedAt: string | null; steps: readonly ConnectionTestStep[] };

export type ConnectionEditor =
  | { kind: 'create'; baseUrl?: string; clientId?: string }
  | { kind: 'edit'; connection: SavedConnection }
  | null;

/** Undefined keeps the secret, null deletes it. */
type SecretChange = string | null | undefined;

const shownRefusals = 5;

export interface ConnectionsSlice extends ReturnType<typeof createConnectionsSlice> {}

export function createConnectionsSlice(tools: SliceTools<ConnectionsSlice>, others: OtherSlices) {
  const { client, change, runCancelable } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'it lists all connections, each with its own test' } as const,
    /** The sandbox first, the others by name. */
    items: [] as readonly SavedConnection[],
    /** Null until loaded from core. */
    selectedId: null as string | null,
    request: idle,
    selecting: idle,
    saving: idle,
    deleting: idle,
    editor: null as ConnectionEditor,
    tests: {} as Readonly<Record<string, ConnectionTest>>,
    exporting: idle,
    importing: idle,
    load: oneAtATime(async (): Promise<void> => {
      const list = await runCancelable('request', (signal) => client.connections.list(undefined, { signal }));
      if (list) change({ items: list.connections, selectedId: list.selectedId });
    }),
    openEditor: (editor: ConnectionEditor): void => change({ editor, saving: idle }),
    ...createConnectionActions(tools, others),
  };
}

function createConnectionActions(tools: SliceTools<ConnectionsSlice>, { show }: OtherSlices) {
  const { client, read, change, run, succeeds, runCancelable } = tools;
  const save = async (call: () => Promise<SavedConnection>, done: (name: string) => string): Promise<boolean> => {
    const saved = await run('saving', call);
    if (!saved) return false;
    const { [saved.id]: _outdated, ...tests } = read().tests;
    change({ editor: null, tests });
    show({ tone: 'good', message: done(saved.name) });
    await read().load();
    return true;
  };
  return {
    async select(id: string): Promise<void> {
      if (id === read().selectedId) return;
      const list = await runRequest(
        (selecting) => {
          change({ selecting });
          if (selecting.state === 'failed') show(failedToast(selecting.failure));
        },
        () => client.connections.select({ id }),
      );
      if (list) change({ items: list.connections, selectedId: list.selectedId });
    },
    create: (fields: ConnectionFields, clientSecret: string | null): Promise<boolean> =>
      save(
        () => client.connections.create({ ...fields, clientSecret }),
        (name) => `Created ${name}`,
      ),
    update: (id: string, fields: ConnectionFields, clientSecret: SecretChange): Promise<boolean> =>
      save(
        () => client.connections.update({ id, ...fields, clientSecret }),
        (name) => `Saved ${name}`,
      ),
    async delete(id: string): Promise<boolean> {
      const isDeleted = await succeeds('deleting', () => client.connections.delete({ id }));
      if (isDeleted) await read().load();
      return isDeleted;
    },
    test: (id: string): Promise<void> => testConnection(tools, id),
    /** Saves all own connections, without secrets. */
    async exportAll(): Promise<void> {
      const exported = await runCancelable('exporting', (signal) => client.connections.export(undefined, { signal }), {
        canceledText: 'No file was saved.',
      });
      if (exported) saveFile(exported.fileName, 'application/json', exported.text);
    },
    async importFrom(text: string): Promise<void> {
      const done = await run('importing', () => client.connections.import({ text }));
      if (!done) return;
      const { names, refused } = done;
      const imported = plural(names.length, ['# connection imported: {names}.', '# connections imported: {names}.'], {
        names: names.join(', '),
      });
      const words =
        names.length === 0 ? 'No connection was imported.' : `${imported} Edit them to enter their client secrets.`;
      const more = refused.length - shownRefusals;
      const left = more > 0 ? [plural(more, ['# more can’t be used.', '# more can’t be used.'])] : [];
      const message = [words, ...refused.slice(0, shownRefusals), ...left].join(' ');
      show({ tone: refused.length > 0 ? 'bad' : 'good', message });
      await read().load();
    },
  };
}

async function testConnection({ client, read, change }: SliceTools<ConnectionsSlice>, id: string): Promise<void> {
  const put = (part: Partial<ConnectionTest>) => {
    const known = read().tests[id] ?? { request: idle, testedAt: null, steps: [] };
    change({ tests: { ...read().tests, [id]: { ...known, ...part } } });
  };
  const result = await runCancelableRequest(
    (request) => put({ request }),
    (signal) => client.connections.test({ id }, { signal }),
  );
  if (result) put(result);
}
