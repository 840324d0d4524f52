// Callbacks that a stub of the app client keeps in memory, as core shows those of the receiver.
import type { CallbackFilter } from '#contract/app-rpc/callback-files.ts';
import { parseCallbackFilter, type QueryCondition } from '#contract/app-rpc/callback-query.ts';
import type { Callback, SavedFilter } from '#contract/app-rpc/callbacks.ts';
import { base64Of } from '#renderer/viewers/body-text.ts';
import { openApp, type OpenedApp, readyStatus } from '../open-app.ts';
import { sampleCallback } from '../sample-callback.ts';
import { AppError, type Stubs } from '../stub-client.ts';

type Changes = Partial<Callback> & { body?: string };

export type OpenedCallbacks = OpenedApp & {
  /** Newest first. */
  stored: () => readonly Callback[];
  receive: (...changes: readonly Changes[]) => void;
};

/** The callback of a JSON body. */
export function callbackOf(id: number, { body = `{"n":${id}}`, ...changes }: Changes = {}): Callback {
  return sampleCallback({
    id,
    target: '/hooks',
    headers: [['content-type', 'application/json']],
    head: { base64: btoa('POST /hooks HTTP/1.1\r\n\r\n'), isExact: true },
    bodyBase64: base64Of(body),
    sizeBytes: body.length,
    ...changes,
  });
}

/** The screen of these callbacks, oldest first; `more` replaces procedures. */
export function openCallbacks(first: readonly Changes[] = [], more: Stubs = {}, hash = '#/callbacks'): OpenedCallbacks {
  let nextId = 1;
  let stored: readonly Callback[] = [];
  let deleted: readonly Callback[] = [];
  let filters: readonly SavedFilter[] = [];
  let version = 0;
  const add = (changes: readonly Changes[]) => {
    for (const part of changes) stored = [callbackOf(nextId++, part), ...stored];
  };
  add(first);
  const newestId = () => stored[0]?.id ?? 0;
  const found = (filter: CallbackFilter, throughId = Infinity) =>
    stored.filter((row) => row.id <= throughId && fits(filter, row));
  const change = (next: readonly Callback[]) => {
    stored = next.toSorted((one, other) => other.id - one.id);
    notify({ topic: 'callback-changes', version: ++version });
    notify({ topic: 'callbacks', newestId: newestId(), total: stored.length });
  };
  const opened = openApp({
    hash,
    stubs: {
      ...more,
      app: {
        status: () => ({ ...readyStatus, callbackCount: stored.length, newestCallbackId: newestId() }),
        ...more.app,
      },
      callbacks: {
        list({ beforeId = Infinity, limit }) {
          const items = stored.filter(({ id }) => id < beforeId).slice(0, limit);
          return { items, total: stored.length, newestId: newestId() };
        },
        get({ id }) {
          const one = stored.find((row) => row.id === id);
          if (!one) throw new AppError('NOT_FOUND', `Callback ${id} is no longer stored.`);
          return one;
        },
        search({ beforeId = Infinity, afterId = 0, limit, ...filter }) {
          const items = found(filter).filter(({ id }) => id < beforeId && id > afterId);
          const { problems } = parseCallbackFilter(filter);
          return { items: items.slice(0, limit), nextBeforeId: null, scanned: stored.length, problems: [...problems] };
        },
        count: ({ throughId, ...filter }) => ({ count: found(filter, throughId).length }),
        histogram({ query }) {
          const byVerdict = Map.groupBy(found({ query }), ({ verdictName }) => verdictName);
          const facets = [...byVerdict].map(([verdict, rows]) => ({ verdict, count: rows.length }));
          const at = new Date().toISOString();
          return { from: at, to: at, barSeconds: 60, bars: [{ at, counts: facets }], facets, unvalidated: 0 };
        },
        delete({ choice }) {
          deleted =
            choice.kind === 'ids'
              ? stored.filter(({ id }) => choice.ids.includes(id))
              : found(choice, choice.throughId);
          change(stored.filter((row) => !deleted.includes(row)));
          const undoUntil = new Date(Date.now() + 8_000).toISOString();
          return { deletionId: 'deletion', count: deleted.length, undoUntil };
        },
        undoDelete() {
          change([...stored, ...deleted]);
          return { count: deleted.length };
        },
        setNote({ id, note }) {
          change(stored.map((row) => (row.id === id ? { ...row, note, hasNote: note !== '' } : row)));
          return {};
        },
        filters: () => ({ filters: [...filters] }),
        replaceFilters(asked) {
          ({ filters } = asked);
          return {};
        },
        delivery: () => null,
        markRead: () => ({ count: 0, isMore: false, throughId: newestId() }),
        ...more.callbacks,
      },
    },
  });
  const { notify } = opened;
  return {
    ...opened,
    stored: () => stored,
    receive(...changes) {
      add(changes);
      notify({ topic: 'callbacks', newestId: newestId(), total: stored.length });
    },
  };
}

/** The terms that the tests search by. Core has all: test/core/callbacks/query-rows.test.ts. */
function fits(filter: CallbackFilter, row: Callback): boolean {
  const { alternatives } = parseCallbackFilter(filter);
  return alternatives.some((terms) => terms.every(({ isNot, condition }) => meets(condition, row) !== isNot));
}

function meets(condition: QueryCondition, row: Callback): boolean {
  if (condition.kind === 'field' && condition.field === 'path') return row.target.includes(condition.text);
  if (condition.kind === 'field' && condition.field === 'note') return row.note.includes(condition.text);
  if (condition.kind === 'verdict') return condition.names.includes(row.verdictName);
  if (condition.kind !== 'json') throw new Error(`The test’s callbacks can’t be searched by ${condition.kind}.`);
  const body = JSON.parse(atob(row.bodyBase64)) as Record<string, unknown>;
  return body[condition.path[0] ?? ''] === condition.text;
}
