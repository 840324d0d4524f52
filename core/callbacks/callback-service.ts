// What the screens do with stored callbacks (contract/app-rpc/callbacks.ts), put together from its parts.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { CallbackSend, EditedRequest, ForwardTarget } from '#contract/app-rpc/callback-sends.ts';
import { answerLimitBytes } from '#contract/app-rpc/callback-sends.ts';
import type {
  Callback,
  CallbackSummary,
  Endpoint,
  EndpointState,
  MatchedDelivery,
} from '#contract/app-rpc/callbacks.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { Log } from '#core/ports/log.ts';
import type { CallbackPages, StoredCallback } from '../receiver/callback-pages.ts';
import { codingsOf, decodeInBackground } from '../receiver/decode-body.ts';
import { fitsPath, pathOf } from '../receiver/path-pattern.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { createCallbackDeletions, type CallbackDeletions } from './callback-deletions.ts';
import type { CallbackDocuments } from './callback-documents.ts';
import { createCallbackExport, type CallbackExport } from './callback-export.ts';
import { createHistogram } from './callback-histogram.ts';
import { createCallbackIndex } from './callback-index.ts';
import { createCallbackImport, type CallbackImport } from './callback-import.ts';
import type { CallbackValidator } from './callback-validator.ts';
import { createCallbackSearch, type CallbackSearch } from './callback-search.ts';
import { createCallbackSends, type NewSend } from './callback-sends.ts';
import { createCallbackTimes, type CallbackTimes } from './callback-times.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import type { DeliveryRecords } from './delivery-records.ts';
import type { RequestSender } from './send-request.ts';

export type CallbackService = {
  /** With the counts of the whole store. */
  list: (options: { beforeId: number | undefined; limit: number }) => {
    items: CallbackSummary[];
    newestId: number;
    total: number;
  };
  search: CallbackSearch['search'];
  count: CallbackSearch['count'];
  sorted: CallbackSearch['sorted'];
  histogram: ReturnType<typeof createHistogram>;
  /** Verdicts may have changed. */
  forgetVerdicts: () => void;
  /** Throws NOT_FOUND. */
  get: (id: number) => Promise<Callback>;
  setNote: (id: number, note: string) => void;
  deletions: CallbackDeletions;
  replay: (id: number, url: string | null) => Promise<CallbackSend>;
  editAndResend: (request: EditedRequest) => Promise<CallbackSend>;
  forwarder: Forwarder;
  /** Throws AppFailure INVALID_INPUT where a URL may not be called. */
  replaceForwardTargets: (targets: readonly ForwardTarget[]) => void;
  endpoints: () => { endpoints: EndpointState[]; unnamedPaths: string[] };
  replaceEndpoints: (endpoints: readonly Endpoint[]) => Promise<void>;
  filters: CallbackDocuments['filters'];
  exportPage: CallbackExport['page'];
  importPiece: CallbackImport['piece'];
  /** Writes one callback as JSON into a private folder, and returns the file's path. */
  writeDragFile: (id: number) => Promise<string>;
  times: CallbackTimes;
  delivery: (id: number) => Promise<MatchedDelivery>;
  close: () => Promise<void>;
};

type CallbackServiceDependencies = {
  db: DatabaseSync;
  pages: CallbackPages;
  validator: CallbackValidator;
  documents: CallbackDocuments;
  receiver: Receiver;
  sender: RequestSender;
  deliveryRecords: Pick<DeliveryRecords, 'of'>;
  version: string;
  /** Files that are dragged out of the window; emptied at the next start. */
  dragFolder: string;
  clock: Clock;
  log: Log;
  /** Whether the store was found damaged since the start. */
  isDamaged: () => boolean;
  /** Rows that screens have may look different now. */
  onChanged: () => void;
};

export function createCallbackService(dependencies: CallbackServiceDependencies): CallbackService {
  const { db, pages, validator, documents, receiver, sender, onChanged } = dependencies;
  const index = createCallbackIndex({ db, validator, now: () => performance.now() });
  const search = createCallbackSearch({ pages, validator, index });
  const sends = createCallbackSends(db);
  const deletions = createCallbackDeletions({ ...dependencies, search, remove: receiver.remove });
  const forwarder = createForwarder({ ...dependencies, targets: documents.forwardTargets.get, sends });
  const baseUrl = () => receiver.state().baseUrl;
  const files = createCallbackExport({ pages, search, version: dependencies.version, baseUrl });
  const reading = createCallbackImport({ store: receiver.store });
  const writeNote = db.prepare('INSERT OR REPLACE INTO callback_notes (callback_id, note) VALUES (?, ?)');
  const removeNote = db.prepare('DELETE FROM callback_notes WHERE callback_id = ?');

  function required(id: number): StoredCallback {
    const callback = pages.get(id);
    if (callback) return callback;
    // A cut file has no error for a row it lost, so "no longer in the store" would be a guess.
    if (dependencies.isDamaged())
      throw new AppFailure(
        'STORAGE',
        `Couldn't read callback ${id}: the database is damaged. Restart Rainbell: the start saves what can be read.`,
      );
    throw new AppFailure('NOT_FOUND', `The callback ${id} is no longer in the store.`, { field: 'id' });
  }

  async function sendFor(callbackId: number, kind: 'replay' | 'edit', request: Parameters<RequestSender['send']>[0]) {
    const { method, url } = request;
    const finished = await sender.send(request, answerLimitBytes);
    const stored = keepSend({ ...finished, kind, callbackId, method, url });
    onChanged();
    return stored;
  }

  /** Who sent it must hear that it went, also where its answer cannot be kept. */
  function keepSend(send: NewSend): CallbackSend {
    try {
      const [stored] = sends.add([send]);
      if (stored) return stored;
    } catch (error) {
      dependencies.log.warn({ err: error }, 'the answer to a sent callback could not be kept');
    }
    const { outcome } = send;
    const answer = outcome.kind === 'answered' ? `was answered ${outcome.status}` : `failed: ${outcome.message}`;
    throw new AppFailure(
      'STORAGE',
      `The callback was sent and ${answer}, but the answer could not be kept: another program holds the app’s database, or its disk is full.`,
    );
  }

  return {
    list: (options) => ({ items: pages.page(options).map(validator.summaryOf), ...pages.counts() }),
    search: search.search,
    count: search.count,
    sorted: search.sorted,
    histogram: createHistogram({
      index,
      search,
      validator,
      newestId: () => pages.counts().newestId,
      clock: dependencies.clock,
    }),
    forgetVerdicts: index.forget,
    async get(id) {
      const callback = required(id);
      const { body, answer, head, isBodyLost: _, ...facts } = callback;
      const { hour: _hour, ...result } = validator.validate(callback);
      return {
        ...facts,
        answer: answer(),
        head: head(),
        ...result,
        bodyBase64: body.toString('base64'),
        decoded: await decodedOf(callback),
        checks: validator.checksOf(callback),
        sends: sends.of(id),
      };
    },
    setNote(id, note) {
      required(id);
      if (note === '') removeNote.run(id);
      else writeNote.run(id, note);
      onChanged();
    },
    deletions,
    async replay(id, url) {
      const { method, target, headers, body, refusal } = required(id);
      if (refusal)
        throw new AppFailure(
          'INVALID_INPUT',
          `Request ${id} was refused before it was whole, so it can't be sent again.`,
          {
            field: 'id',
          },
        );
      // Here, it must not look like another event; elsewhere, it is what came, to the byte.
      const marked: typeof headers = url === null ? [...headers, ['x-rainbell-replay', String(id)]] : headers;
      return sendFor(id, 'replay', { method, url: url ?? ownUrl(target, baseUrl()), headers: marked, body });
    },
    editAndResend: ({ id, method, url, headers, bodyBase64 }) =>
      sendFor(id, 'edit', { method, url, headers, body: Buffer.from(bodyBase64, 'base64') }),
    forwarder,
    replaceForwardTargets(targets) {
      for (const { url } of targets) sender.requireAllowed(url);
      documents.forwardTargets.replace(targets);
      forwarder.apply();
    },
    endpoints: () => endpointStates(dependencies),
    async replaceEndpoints(endpoints) {
      documents.endpoints.replace(endpoints);
      await receiver.applyEndpoints();
      onChanged();
    },
    filters: documents.filters,
    exportPage: files.page,
    importPiece: reading.piece,
    async writeDragFile(id) {
      required(id);
      const { text } = files.page({ format: 'json', choice: { kind: 'ids', ids: [id] }, cursor: null });
      await mkdir(dependencies.dragFolder, { recursive: true, mode: 0o700 });
      const file = join(dependencies.dragFolder, `callback-${id}.json`);
      await writeFile(file, text, { mode: 0o600 });
      return file;
    },
    times: createCallbackTimes(db, pages, validator),
    delivery: async (id) => dependencies.deliveryRecords.of(required(id)),
    async close() {
      await forwarder.close();
      await Promise.all([sender.close(), deletions.close()]);
    },
  };
}

/** Of what a screen shows. */
const longestDecoded = 8 * 1024 * 1024;
const longestDecodingMs = 2000;

async function decodedOf(callback: StoredCallback): Promise<Callback['decoded']> {
  const decoded = await decodeInBackground(callback, longestDecoded, AbortSignal.timeout(longestDecodingMs));
  if (!decoded) return null;
  const { body, problem } = decoded;
  const coding = codingsOf(callback.headers).join(', ').slice(0, 100);
  return { coding, bodyBase64: body.toString('base64'), sizeBytes: body.length, problem };
}

function ownUrl(target: string, baseUrl: string | null): string {
  if (baseUrl === null)
    throw new AppFailure('UNAVAILABLE', 'The callback receiver is not listening. Name another URL.', { field: 'url' });
  return target.startsWith('/') ? baseUrl + target : `${baseUrl}/`;
}

/** So many of the newest callbacks are looked at for paths that have no name. */
const lookedAt = 1000;
const toldPaths = 50;

function endpointStates({ db, documents, pages }: CallbackServiceDependencies): {
  endpoints: EndpointState[];
  unnamedPaths: string[];
} {
  const named = documents.endpoints.get();
  const counters = db.prepare('SELECT total, bytes FROM endpoint_counters WHERE endpoint_id = ?');
  const newest = db.prepare('SELECT max(callback_id) AS id FROM endpoint_callbacks WHERE endpoint_id = ?');
  const paths = new Set(
    pages
      .page({ beforeId: undefined, limit: lookedAt })
      .filter(({ refusal }) => !refusal)
      .map(({ target }) => pathOf(target)),
  );
  return {
    endpoints: named.map((endpoint) => {
      const row = counters.get(endpoint.id);
      const id = newest.get(endpoint.id)?.['id'] ?? null;
      return {
        ...endpoint,
        total: Number(row?.['total'] ?? 0),
        bytes: Number(row?.['bytes'] ?? 0),
        newestId: id === null ? null : Number(id),
      };
    }),
    unnamedPaths: [...paths].filter((path) => !named.some((one) => fitsPath(one.path, path))).slice(0, toldPaths),
  };
}
