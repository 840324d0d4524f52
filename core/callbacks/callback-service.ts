// What the screens do with stored callbacks (contract/app-rpc/callbacks.ts), put together from its parts.
import { formatInstant, parseTimestamp, pick } from '@rainbell/shared';
import {
  type Callback,
  type CallbackChoice,
  type CallbackSend,
  type HeaderList,
  type EndpointState,
  type EpisodePart,
  type ForwardTarget,
  type HourMark,
  maxReplays,
  type ReplaySigning,
  responseLimitBytes,
  type SendRequest,
} from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import type { Handlers } from '../app/handlers.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { openReceiver } from '../receiver/open-receiver.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { episodeEventOf } from '../receiver/checks/callback-checks.ts';
import { codingsOf, decodeBody } from '../receiver/requests/decode-body.ts';
import { originForm } from '../receiver/requests/path-pattern.ts';
import { createCallbackDeletions } from './callback-deletions.ts';
import { exportPage } from './callback-export.ts';
import { createHistogram } from './callback-histogram.ts';
import type { CallbackIndex } from './callback-index.ts';
import { createCallbackImport } from './callback-import.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { type CallbackSearch, createCallbackSearch } from './callback-search.ts';
import { type CallbackSends, createCallbackSends } from './callback-sends.ts';
import { createForwarder, hasOtherWay } from './forwarder.ts';
import type { CallbackAttempts } from './callback-attempts.ts';
import type { RequestSender } from '../http/send-request.ts';
import { renderProof } from './callback-proof.ts';
import { requireSender, senderRows } from '../senders/sender-rows.ts';
import type { SenderFacts } from './sender-facts.ts';
import { forwardSecretsId } from '../receiver/access/endpoint-secrets.ts';

type CallbackServiceDependencies = Base &
  ReturnType<typeof openReceiver> & {
    /** The service in use; null if there is none. */
    connection: () => { name: string; baseUrl: string } | null;
    validator: CallbackValidator;
    index: CallbackIndex;
    facts: SenderFacts;
    sender: RequestSender;
    attempts: Pick<CallbackAttempts, 'of'>;
    canJudge: () => boolean;
    /** Rows that screens have may look different now. */
    onChanged: () => void;
  };

export function createCallbackService(dependencies: CallbackServiceDependencies) {
  const { db, pages, validator, index, documents, receiver, sender, onChanged } = dependencies;
  const search = createCallbackSearch(dependencies);
  const sends = createCallbackSends(db, dependencies.log);
  const clearVerdicts = (monitorId?: string) => {
    validator.clear();
    index.clear(monitorId);
  };
  const deletions = createCallbackDeletions({
    ...dependencies,
    search,
    remove: (ids) => receiver.call('remove', ids),
    onChanged() {
      clearVerdicts();
      onChanged();
    },
  });
  const baseUrl = () => receiver.state().baseUrl;
  const importPiece = createCallbackImport((rows) => receiver.call('store', rows));
  const secretOf = (target: ForwardTarget) => secretOfTarget(dependencies, target);
  const forwarder = createForwarder({ ...dependencies, secretOf, targets: documents.forwardTargets.get, sends });
  const histogram = createHistogram({ ...dependencies, search, newestId: () => pages.counts().newestId });
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

  const replay = async (request: SendRequest, signal?: AbortSignal) =>
    resend({ ...dependencies, sends, callback: required(request.id), baseUrl: baseUrl() }, request, signal);
  const idsToReplay = (choice: CallbackChoice, times?: number) => replayIds(search, choice, times);
  const forwardStates = () => ({ targets: forwarder.states() });
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
    replay: ({ input, signal }) => replay(input, signal),
    replayIds: async ({ input }) => ({ ids: await idsToReplay(input.choice) }),
    forwardTargets: forwardStates,
    /** Throws AppFailure INVALID_INPUT if a URL may not be called, or a sender is unknown or has no secret. */
    async replaceForwardTargets({ input }) {
      await saveForwardTargets(input.targets, input.newSecrets ?? {}, dependencies);
      forwarder.apply();
      return forwardStates();
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
    exportPage: ({ input }) => exportPage({ search, version: dependencies.version, baseUrl: baseUrl() }, input),
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
    diagnoseSignature: ({ input }) => dependencies.facts.diagnose(required(input.id), input),
  } satisfies Partial<Handlers<'callbacks'>['callbacks']>;
  return {
    handlers,
    get,
    replay,
    idsToReplay,
    forwarder,
    /** Verdicts may have changed: of all, or of one monitor. */
    clearVerdicts,
    async close() {
      forwarder.close();
      sender.close();
      await deletions.close();
    },
  };
}

function secretOfTarget(
  { endpointSecrets }: Pick<CallbackServiceDependencies, 'endpointSecrets'>,
  target: ForwardTarget,
) {
  return endpointSecrets.of(forwardSecretsId(target))[0] ?? '';
}

async function saveForwardTargets(
  targets: readonly ForwardTarget[],
  newSecrets: Readonly<Record<string, string>>,
  dependencies: Pick<CallbackServiceDependencies, 'documents' | 'endpointSecrets' | 'sender'>,
): Promise<void> {
  const { documents, endpointSecrets, sender } = dependencies;
  for (const target of targets) {
    sender.requireAllowed(target.url);
    if (target.sender === null) continue;
    const { name } = requireSender(target.sender);
    if (newSecrets[target.id] === undefined && secretOfTarget(dependencies, target) === '')
      throw new AppFailure('INVALID_INPUT', `Enter the secret to sign as ${name} for ${target.url}.`);
  }
  documents.forwardTargets.replace(targets);
  const changed = Object.entries(newSecrets).map(([id, secret]) => [forwardSecretsId({ id }), secret] as const);
  await endpointSecrets.save(Object.fromEntries(changed.map(([id]) => [id, []])));
  await endpointSecrets.save(Object.fromEntries(changed.map(([id, secret]) => [id, [secret]])));
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

/** Oldest first, the whole list so many times. Throws AppFailure INVALID_INPUT for too many, and for a query with an invalid term. */
async function replayIds(search: Pick<CallbackSearch, 'ids'>, choice: CallbackChoice, times = 1): Promise<number[]> {
  const ids = new Set<number>();
  for await (const some of search.ids(choice)) {
    some.forEach((id) => ids.add(id));
    if (ids.size > maxReplays) break;
  }
  const once = [...ids].toSorted((one, other) => one - other);
  if (once.length * times <= maxReplays) return Array<number[]>(times).fill(once).flat();
  throw new AppFailure(
    'INVALID_INPUT',
    `One replay sends at most ${maxReplays.toLocaleString('en-US')} requests. Narrow the search, for example with after: and before:, or send each fewer times.`,
    { field: 'query' },
  );
}

type Resending = Pick<CallbackServiceDependencies, 'facts' | 'sender' | 'clock' | 'onChanged'> & {
  callback: StoredCallback;
  sends: CallbackSends;
  baseUrl: string | null;
};

/** Sends a callback again, as it is or edited. A canceled request is kept as one that failed, because its receiver may have it. */
async function resend(
  { callback, sender, sends, baseUrl, facts, clock, onChanged }: Resending,
  { id, url, signing, signAs, edited }: SendRequest,
  signal?: AbortSignal,
): Promise<CallbackSend> {
  if (callback.refusal)
    throw new AppFailure(
      'INVALID_INPUT',
      `Request ${id} was refused before it was complete, so it can’t be replayed.`,
      { field: 'id' },
    );
  const { method, headers } = edited ?? callback;
  const body = edited ? Buffer.from(edited.bodyBase64, 'base64') : callback.body;
  const sign = (how: ReplaySigning) => facts.sign(callback, { url, headers, body }, how, clock, signAs);
  const isOutdated = signing === undefined && isSignatureOutdated(callback, headers, body);
  const signed = isOutdated ? await sign('same-id').catch(() => headers) : await sign(signing ?? 'as-received');
  // Sent to this receiver, it must not look like another event; sent elsewhere, its bytes are as received.
  const marked: HeaderList = url === null ? [...signed, ['x-rainbell-replay', String(id)]] : signed;
  const request = { method, url: url ?? ownUrl(callback.target, baseUrl), headers: marked, body };
  const finished = await sender.send(request, responseLimitBytes, signal);
  const kind = edited ? 'edit' : 'replay';
  const stored = sends.add({ ...finished, kind, callbackId: id, method, url: request.url });
  onChanged();
  return stored;
}

/** Whether the body was edited, and the signature was not. */
function isSignatureOutdated(before: StoredCallback, headers: HeaderList, body: Buffer): boolean {
  const signatures = (list: HeaderList) => list.filter(([name]) => /signature|hmac|-mac$/i.test(name)).join();
  return !before.body.equals(body) && signatures(before.headers) === signatures(headers);
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

function ownUrl(target: string, baseUrl: string | null): string {
  if (baseUrl === null)
    throw new AppFailure('UNAVAILABLE', 'The callback receiver is not listening. Choose another URL.', {
      field: 'url',
    });
  const path = originForm(target);
  return path.startsWith('/') ? baseUrl + path : `${baseUrl}/`;
}

function endpointStates({ db, documents, endpointSecrets }: CallbackServiceDependencies) {
  const counters = db.prepare('SELECT total, bytes FROM callback_counters WHERE endpoint_id = ?');
  return {
    endpoints: documents.endpoints.get().map((endpoint): EndpointState => {
      const row = counters.get(endpoint.id);
      return {
        ...endpoint,
        total: Number(row?.['total'] ?? 0),
        bytes: Number(row?.['bytes'] ?? 0),
        secrets: endpointSecrets.of(endpoint.id).length,
      };
    }),
    senders: senderRows
      .map(({ id, name, secretName = 'signing secret' }) => ({ id, name, secretName }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  };
}
