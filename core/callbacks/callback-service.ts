// What the screens do with stored callbacks (contract/app-rpc/callbacks.ts), put together from its parts.
import { formatInstant, parseTimestamp, pick } from '@rainbell/shared';
import { type Callback, type EndpointState, type EpisodePart, type HourMark } from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import type { Handlers } from '../app/handlers.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { openReceiver } from '../receiver/open-receiver.ts';
import { readCounters } from '../receiver/records/callback-writer.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { episodeEventOf } from '../receiver/checks/callback-checks.ts';
import { codingsOf, decodeBody } from '../http/decode-body.ts';
import { createCallbackDeletions } from './callback-deletions.ts';
import { exportPage } from './callback-export.ts';
import { createHistogram } from './callback-histogram.ts';
import { type CallbackIndex, hasOtherWay } from './callback-index.ts';
import { createCallbackImport } from './callback-import.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { createCallbackSearch } from './callback-search.ts';
import type { CallbackAttempts } from './callback-attempts.ts';
import { renderProof } from './callback-proof.ts';
import { senderRows } from '../senders/sender-rows.ts';
import { createCallbackSends } from './callback-sends.ts';
import type { SenderFacts } from './sender-facts.ts';

type CallbackServiceDependencies = Base &
  ReturnType<typeof openReceiver> & {
    /** The service in use; null if there is none. */
    connection: () => { name: string; baseUrl: string } | null;
    validator: CallbackValidator;
    index: CallbackIndex;
    facts: SenderFacts;
    attempts: Pick<CallbackAttempts, 'of'>;
    canJudge: () => boolean;
    /** Rows that screens have may look different now. */
    onChanged: () => void;
    onVerdictsChanged: () => void;
  };

export function createCallbackService(dependencies: CallbackServiceDependencies) {
  const { db, pages, validator, index, facts, documents, receiver, onChanged } = dependencies;
  const search = createCallbackSearch(dependencies);
  const sends = createCallbackSends(db, dependencies.log);
  const deletions = createCallbackDeletions({
    ...dependencies,
    search,
    remove: (ids) => receiver.call('remove', ids),
    onChanged: dependencies.onVerdictsChanged,
  });
  const importPiece = createCallbackImport((rows) => receiver.call('store', rows));
  const histogram = createHistogram({ ...dependencies, search });
  const writeNote = db.prepare('UPDATE callbacks SET note = ? WHERE id = ?');

  function required(id: number): StoredCallback {
    const callback = pages.get(id);
    if (callback) return callback;
    // A cut file has no error for a row it lost, so "no longer in the store" would be a guess.
    if (dependencies.storage.isDamaged())
      throw new AppFailure(
        'STORAGE',
        `Couldn’t read callback ${id}: the database is damaged. Restart Rainbell to open its newest copy.`,
      );
    throw new AppFailure('NOT_FOUND', `Callback ${id} is no longer stored.`, { field: 'id' });
  }

  function get(id: number): Callback {
    const callback = required(id);
    const { body, answer, head } = callback;
    const checks = validator.checksOf(callback);
    return {
      ...validator.summaryOf(callback),
      ...pick(callback, 'httpVersion', 'headers', 'trailers', 'truncated', 'note'),
      answer: answer(),
      head: head(),
      bodyBase64: body.toString('base64'),
      decoded: decodedOf(callback),
      checks,
      hasOtherWay: hasOtherWay(callback, dependencies),
      episode: episodeOf(callback, dependencies),
      sends: sends.of(id),
    };
  }

  const handlers = {
    /** With the counts of the whole store. */
    list: ({ input: { beforeId, limit } }) => ({
      items: pages.page({ beforeId, limit }).map(validator.summaryOf),
      ...pages.counts(),
    }),
    search: ({ input }) => search.search(input),
    count: async ({ input }) => ({ count: await search.count(input, input.throughId) }),
    sorted: ({ input }) => search.sorted(input),
    histogram: ({ input }) => histogram(input),
    get: ({ input }) => get(input.id),
    delete: ({ input }) => deletions.delete(input.choice),
    undoDelete: ({ input }) => deletions.undo(input.deletionId),
    setNote({ input: { id, note } }) {
      required(id);
      writeNote.run(note === '' ? null : note, id);
      onChanged();
    },
    endpoints: () => endpointStates(dependencies),
    async replaceEndpoints({ input }) {
      documents.endpoints.replace(input.endpoints);
      await dependencies.endpointSecrets.save(input.newSecrets ?? {});
      await receiver.call('setEndpoints', dependencies.endpointsWithSecrets());
      onChanged();
    },
    filters: () => ({ filters: [...documents.filters.get()] }),
    replaceFilters: ({ input }) => documents.filters.replace(input.filters),
    exportPage: ({ input }) => exportPage({ ...dependencies, search, baseUrl: receiver.state().baseUrl }, input),
    importPiece: ({ input }) => importPiece(input),
    /** Throws AppFailure UNAVAILABLE for a refused request. */
    proof({ input: { id } }) {
      const callback = get(id);
      const refused = `Request ${id} was refused before it was complete, so it can’t be exported separately.`;
      if (callback.refusal) throw new AppFailure('UNAVAILABLE', refused);
      return renderProof(callback, {
        ...dependencies,
        exportedAt: dependencies.clock.now(),
        connection: dependencies.connection(),
      });
    },
    hours: ({ input }) => ({ callbacks: hourMarksOf(input, dependencies) }),
    delivery: ({ input }) => dependencies.attempts.of(required(input.id)),
    /** Throws AppFailure UNAVAILABLE if there is no whole request of a known sender. */
    diagnoseSignature: ({ input }) => facts.diagnose(required(input.id), input),
  } satisfies Partial<Handlers<'callbacks'>['callbacks']>;
  return {
    handlers,
    get,
    required,
    search,
    sends,
    index,
    facts,
    close: deletions.close,
  };
}

/** Each event once, by its first callback; those of others that name the same monitor are left out. */
function episodeOf(
  callback: StoredCallback,
  { pages, validator }: Pick<CallbackServiceDependencies, 'pages' | 'validator'>,
): EpisodePart[] {
  const { episodeId, isMonitorOwn } = validator.validate(callback);
  if (episodeId === undefined) return [];
  const parts = new Map<string, EpisodePart>();
  for (const callbackId of pages.around(callback)) {
    const one = pages.get(callbackId);
    const event = one && episodeEventOf(one);
    if (!event || event.episodeId !== episodeId || parts.has(event.type)) continue;
    const { type, at, amount } = event;
    if (validator.validate(one).isMonitorOwn === isMonitorOwn) parts.set(type, { callbackId, type, at, amount });
  }
  return [...parts.values()];
}

const maxHourMarks = 2000;
const maxHourRows = 20_000;

/** A monitor's callbacks since a time, oldest first; of too many, the newest. */
function hourMarksOf(
  { monitorId, from }: { monitorId: string; from: string },
  { pages, validator }: Pick<CallbackServiceDependencies, 'pages' | 'validator'>,
) {
  const marks: HourMark[] = [];
  // Imported ones are new rows with old times.
  const sql = `id IN (SELECT id FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT ${maxHourRows}) AND received_at >= ?`;
  for (const row of pages.rows({}, 'newestFirst', { sql, values: [monitorId, parseTimestamp(from) ?? 0] })) {
    if (marks.length === maxHourMarks) break;
    const { kind, hour, isOther } = validator.validate(row);
    if (!isOther) marks.push({ id: row.id, receivedAt: formatInstant(row.receivedAt), kind, verdict: hour });
  }
  return marks.toReversed();
}

/** Of what a screen shows. */
const maxDecodedBytes = 8 * 1024 * 1024;

function decodedOf(callback: StoredCallback): Callback['decoded'] {
  const codings = codingsOf(callback.headers);
  if (codings.length === 0) return null;
  const coding = codings.join(', ').slice(0, 100);
  const decoded = decodeBody(callback, maxDecodedBytes);
  return typeof decoded === 'string'
    ? { coding, bodyBase64: '', sizeBytes: 0, problem: decoded }
    : { coding, bodyBase64: decoded.toString('base64'), sizeBytes: decoded.length, problem: null };
}

function endpointStates({ db, documents, endpointSecrets }: CallbackServiceDependencies) {
  return {
    endpoints: documents.endpoints.get().map((endpoint): EndpointState => {
      const { total, bytes } = readCounters(db, endpoint.id);
      return { ...endpoint, total, bytes, secrets: endpointSecrets.of(endpoint.id).length };
    }),
    senders: senderRows
      .map(({ id, name, secretName = 'signing secret' }) => ({ id, name, secretName }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  };
}
