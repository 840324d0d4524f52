// Actions on many monitors and held deletes over the real database: what is stored before, during, and after each request.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import type { Connection } from '#core/connection/connection.ts';
import { createWriteGroup } from '#core/database/write-group.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createBulkRuns } from '#core/monitors/bulk-runs.ts';
import { createBulkStore } from '#core/monitors/bulk-store.ts';
import { createBulkWork } from '#core/monitors/bulk-work.ts';
import { createHeldDeletes } from '#core/monitors/held-deletes.ts';
import { openMonitorDocuments } from '#core/monitors/monitor-documents.ts';
import { createMonitorHistory } from '#core/monitors/monitor-history.ts';
import { createMonitorNotes, isEmptyNotes, noNotes } from '#core/monitors/monitor-notes.ts';
import { createPendingDeletes } from '#core/monitors/pending-deletes.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const now = Date.UTC(2026, 10, 23, 12);
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

function openDatabase() {
  const clock = createManualClock(now);
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  onTestFinished(() => database.close());
  return { db: database.db, clock };
}

function connectionOf(id: string) {
  const state = { held: 0 };
  const connection = {
    profile: { id },
    hold() {
      state.held += 1;
      return () => (state.held -= 1);
    },
  } as unknown as Connection;
  return { connection, state };
}

const notes = (id: string, name = id): BulkTask => ({ kind: 'notes', id, notes: { name, tags: [], note: '' } });
const testOf = (id: string): BulkTask => ({ kind: 'test', id });

function startRuns() {
  const { db, clock } = openDatabase();
  const { connection, state: held } = connectionOf('one');
  const active = { connection: connection as Connection | undefined };
  const sent: string[] = [];
  const saved: string[][] = [];
  const open: ((error?: Error) => void)[] = [];
  const ends = { count: 0 };
  const options = { isHeld: false, saveFails: false };
  const failures = new Map<string, Error>();
  const idOf = (task: BulkTask) => ('id' in task ? task.id : task.kind);
  const create = () =>
    createBulkRuns({
      activeConnection: {
        present: () => active.connection,
        current: async () => active.connection ?? connection,
      } as never,
      store: createBulkStore(db),
      work: {
        inverseOf: (_connection, task) => (idOf(task).startsWith('a') ? notes(idOf(task), 'before') : undefined),
        async send(_connection, task) {
          sent.push(idOf(task));
          const failure = failures.get(idOf(task));
          if (failure) throw failure;
          if (options.isHeld) await new Promise<void>((resolve) => void open.push(() => resolve()));
          return idOf(task) === 'c' ? notes('c', 'from the response') : undefined;
        },
        isLocal: ({ kind }) => kind === 'notes',
        save(_connection, tasks) {
          if (options.saveFails) throw new AppFailure('STORAGE', 'The disk is full.');
          saved.push(tasks.map(idOf));
        },
      },
      clock,
      onEnd: () => (ends.count += 1),
    });
  const runs = create();
  const rows = () =>
    db
      .prepare('SELECT place, task, inverse, state, message, exchange_id FROM bulk_tasks ORDER BY place')
      .all()
      .map((row) => {
        const read = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as BulkTask) : null);
        const task = read(row['task']);
        return [
          row['place'],
          task && idOf(task),
          read(row['inverse']),
          row['state'],
          row['message'],
          row['exchange_id'],
        ];
      });
  const states = () => rows().map((row) => row[3]);
  const pass = async (ms = 0) => {
    await settle();
    for (let step = 0; step < 5; step += 1) {
      clock.advance(step === 0 ? ms : 0);
      // oxlint-disable-next-line no-await-in-loop
      await settle();
    }
  };
  return {
    db,
    clock,
    runs,
    create,
    rows,
    states,
    sent,
    saved,
    open,
    options,
    failures,
    ends,
    active,
    held,
    pass,
    connection,
  };
}

const done = { failed: 0, stopped: 0, isRunning: false, canUndo: false, failures: [] };

describe('an action on many monitors', () => {
  test('is stored before the first request, and with its results', async () => {
    const { runs, rows, pass, sent, options, open, failures, ends, held, db } = startRuns();
    failures.set('b', new AppFailure('REFUSED', 'Refused.', { trafficId: 7 }));
    options.isHeld = true;
    expect(await runs.start('Test', [testOf('a'), testOf('b'), testOf('c')])).toEqual({
      ...done,
      title: 'Test',
      total: 3,
      done: 0,
      isRunning: true,
    });
    expect(db.prepare('SELECT title, connection_id FROM bulk_run').all()).toEqual([
      { title: 'Test', connection_id: 'one' },
    ]);
    expect(rows()).toEqual([
      [0, 'a', notes('a', 'before'), 'sent', '', null],
      [1, 'b', null, 'sent', '', null],
      [2, 'c', null, 'sent', '', null],
    ]);
    expect([held.held, ends.count]).toEqual([1, 0]);
    await pass(249);
    expect(rows()[1]).toEqual([1, 'b', null, 'sent', '', null]);
    await pass(1);
    expect(rows()[1]).toEqual([1, 'b', null, 'failed', 'Refused.', 7]);
    await expect(runs.start('Other', [])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Test'),
    });
    for (const end of open.splice(0)) end();
    await pass();
    expect(rows()).toEqual([
      [0, 'a', notes('a', 'before'), 'done', '', null],
      [1, 'b', null, 'failed', 'Refused.', 7],
      [2, 'c', notes('c', 'from the response'), 'done', '', null],
    ]);
    expect([sent, held.held, ends.count]).toEqual([['a', 'b', 'c'], 0, 1]);
    expect(runs.state()).toEqual({
      ...done,
      title: 'Test',
      total: 3,
      done: 2,
      failed: 1,
      canUndo: true,
      failures: [{ label: 'b', message: 'Refused.', trafficId: 7 }],
    });
  });

  test('is undone as far as it was carried out', async () => {
    const { runs, pass, saved, failures, rows } = startRuns();
    failures.set('a2', new Error('secret'));
    await runs.start('Test', [testOf('a1'), testOf('a2'), testOf('b')]);
    await pass();
    expect(runs.state()).toMatchObject({ done: 2, failed: 1, canUndo: true });
    expect(JSON.stringify(runs.state())).not.toContain('secret');
    expect(await runs.undo()).toMatchObject({ title: 'Undo: Test', total: 1, done: 1, canUndo: false });
    await pass();
    expect(saved).toEqual([['a1']]);
    expect(rows()).toEqual([[0, 'a1', null, 'done', '', null]]);
    // There is no undo of an undo.
    expect(await runs.undo()).toEqual({ ...done, title: 'Undo: Test', total: 1, done: 1 });
    await pass();
    expect(saved).toHaveLength(1);
  });

  test('runs what needs no request first, 500 at once', async () => {
    const { runs, pass, saved, sent, clock, rows } = startRuns();
    const tasks = [testOf('z'), ...Array.from({ length: 501 }, (_, index) => notes(`n${index}`))];
    await runs.start('Notes', tasks);
    expect(saved.map(({ length }) => length)).toEqual([500]);
    expect([sent, rows().filter((row) => row[3] === 'done').length]).toEqual([[], 500]);
    clock.advance(0);
    await settle();
    expect(saved.map(({ length }) => length)).toEqual([500, 1]);
    await pass();
    expect(sent).toEqual(['z']);
    expect(runs.state()).toMatchObject({ total: 502, done: 502, isRunning: false });
  });

  test('says which of those failed', async () => {
    const { runs, pass, options, rows } = startRuns();
    options.saveFails = true;
    await runs.start('Notes', [notes('a'), notes('b')]);
    await pass();
    expect(rows().map((row) => row.slice(3, 5))).toEqual([
      ['failed', 'The disk is full.'],
      ['failed', 'The disk is full.'],
    ]);
    expect(runs.state()).toMatchObject({ failed: 2, done: 0, canUndo: false });
    options.saveFails = false;
    expect(await runs.retry()).toMatchObject({ isRunning: true });
    await pass();
    expect(runs.state()).toMatchObject({ failed: 0, done: 2 });
  });

  test('keeps 32 requests open, and marks 64 as sent', async () => {
    const { runs, pass, options, open, sent, states } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 100 }, (_, index) => testOf(`m${index}`)),
    );
    await pass();
    const count = (state: string) => states().filter((one) => one === state).length;
    expect([sent.length, count('sent'), count('waiting')]).toEqual([32, 64, 36]);
    for (const end of open.splice(0)) end();
    await pass(250);
    expect([sent.length, count('done'), count('sent'), count('waiting')]).toEqual([64, 32, 32, 36]);
    runs.stop();
    for (const end of open.splice(0)) end();
    await pass();
    expect([sent.length, count('done'), count('stopped')]).toEqual([64, 64, 36]);
    expect(runs.state()).toEqual({ ...done, title: 'Test', total: 100, done: 64, stopped: 36 });
    options.isHeld = false;
    expect(await runs.retry()).toMatchObject({ done: 64, stopped: 0, isRunning: true });
    expect(await runs.retry()).toMatchObject({ isRunning: true });
    await pass();
    expect([sent.length, runs.state()?.done]).toEqual([100, 100]);
  });

  test('ends with its connection', async () => {
    const { runs, pass, options, open, sent, active, connection, states } = startRuns();
    options.isHeld = true;
    await runs.start(
      'Test',
      Array.from({ length: 40 }, (_, index) => testOf(`m${index}`)),
    );
    await pass();
    active.connection = connectionOf('two').connection;
    expect([runs.state(), runs.stop(), await runs.retry(), await runs.undo()]).toEqual([null, null, null, null]);
    for (const end of open.splice(0)) end();
    await pass();
    expect(sent).toHaveLength(32);
    active.connection = connection;
    expect(runs.state()).toMatchObject({ done: 32, stopped: 8, isRunning: false });
    active.connection = connectionOf('two').connection;
    runs.close();
    expect(states()).toHaveLength(40);
    active.connection = connection;
    runs.close();
    expect([states(), runs.state()]).toEqual([[], null]);
  });

  test('is not closed while it runs', async () => {
    const { runs, pass, options, states } = startRuns();
    options.isHeld = true;
    await runs.start('Test', [testOf('m')]);
    await pass();
    runs.close();
    expect([states(), runs.state()?.isRunning]).toEqual([['sent'], true]);
  });

  test('ends before the app, and is deleted if it was carried out', async () => {
    const whole = startRuns();
    await whole.runs.start('Test', [testOf('m')]);
    await whole.runs.end();
    expect(whole.rows()).toEqual([]);
    const part = startRuns();
    part.failures.set('b', new AppFailure('REFUSED', 'Refused.'));
    await part.runs.start('Test', [testOf('m'), testOf('b')]);
    await part.runs.end();
    expect(part.states()).toEqual(['done', 'failed']);
    const stopped = startRuns();
    stopped.options.isHeld = true;
    await stopped.runs.start(
      'Test',
      Array.from({ length: 33 }, (_, index) => testOf(`m${index}`)),
    );
    await stopped.pass();
    const end = stopped.runs.end();
    for (const release of stopped.open.splice(0)) release();
    await end;
    expect(stopped.states().filter((state) => state === 'stopped')).toHaveLength(1);
    expect(await startRuns().runs.end()).toBeUndefined();
  });

  test('is there after a crash, with what may have been carried out', async () => {
    const { runs, create, pass, options, db, failures, sent } = startRuns();
    options.isHeld = true;
    failures.set('b', new AppFailure('REFUSED', 'Refused.', { trafficId: 7 }));
    await runs.start('Test', [
      testOf('a1'),
      testOf('b'),
      ...Array.from({ length: 70 }, (_, index) => testOf(`m${index}`)),
    ]);
    await pass(250);
    const again = create();
    expect(again.state()).toMatchObject({
      title: 'Test',
      total: 72,
      done: 0,
      failed: 64,
      stopped: 8,
      isRunning: false,
      canUndo: true,
    });
    expect(again.state()?.failures.slice(0, 2)).toEqual([
      { label: 'a1', message: expect.stringMatching(/\S/) },
      { label: 'b', message: 'Refused.', trafficId: 7 },
    ]);
    options.isHeld = false;
    failures.clear();
    const before = sent.length;
    await again.retry();
    await pass(300);
    expect([again.state()?.done, sent.length - before]).toEqual([72, 72]);
    db.exec("UPDATE bulk_tasks SET state = 'nonsense' WHERE place = 3");
    expect(create().state()).toBeNull();
  });

  test('shows 500 failures', async () => {
    const { runs, pass, failures } = startRuns();
    const ids = Array.from({ length: 501 }, (_, index) => `m${index}`);
    for (const id of ids) failures.set(id, new AppFailure('REFUSED', 'Refused.'));
    await runs.start('Test', ids.map(testOf));
    await pass();
    expect([runs.state()?.failed, runs.state()?.failures.length]).toEqual([501, 500]);
  });

  test('fails as a whole if nothing can be written', async () => {
    const { runs, pass, db, sent, ends, held } = startRuns();
    const started = runs.start('Test', [notes('a'), testOf('m')]);
    db.exec("CREATE TRIGGER full BEFORE UPDATE ON bulk_tasks BEGIN SELECT RAISE(ABORT, 'full'); END");
    await started;
    await pass();
    expect([sent, ends.count, held.held]).toEqual([[], 1, 0]);
    expect(runs.state()).toMatchObject({ isRunning: false, failed: 1 });
  });
});

describe('a task', () => {
  const geo = { lat: 45, lng: 7 };
  function startWork(known: { geo: typeof geo; callbackUri: string | null } | undefined) {
    const { db } = openDatabase();
    const { connection } = connectionOf('one');
    const calls: unknown[] = [];
    const store = createMonitorNotes(db);
    const rain = { scenario: 'scenario_1' as string | undefined };
    const work = createBulkWork({
      monitors: {
        async create(...given) {
          calls.push(['create', ...given]);
          return {} as never;
        },
        async update(...given) {
          calls.push(['update', ...given]);
          return {} as never;
        },
        known: (id) => (id === 'm' ? known : undefined),
        paced(of, send) {
          calls.push(['paced', of === connection]);
          return send();
        },
      },
      deliveries: {
        async sendTest(id) {
          calls.push(['test', id]);
          return { event_id: 'test_1' };
        },
      },
      notes: store,
      rain: {
        async start(over) {
          calls.push(['rain', over]);
          return rain.scenario;
        },
        async end(id) {
          calls.push(['end', id]);
        },
      },
    });
    return { work, connection, calls, store, rain };
  }
  const callback = { kind: 'address' as const, uri: 'https://b.example/' };
  const update = (changes: object): BulkTask => ({ kind: 'update', id: 'm', changes }) as BulkTask;
  const known = { geo, callbackUri: 'https://a.example/' };

  test.each([
    ['a place', update({ geo: { lat: 1, lng: 2 } }), known, update({ geo })],
    ['a URL', update({ callback }), known, update({ callback: { kind: 'address', uri: 'https://a.example/' } })],
    [
      'both',
      update({ geo: { lat: 1, lng: 2 }, callback }),
      known,
      update({ geo, callback: { kind: 'address', uri: 'https://a.example/' } }),
    ],
    ['a place, but no URL', update({ geo: { lat: 1, lng: 2 } }), { geo, callbackUri: null }, update({ geo })],
    ['not of a URL that is unknown', update({ callback }), { geo, callbackUri: null }, undefined],
    ['not of a monitor that is unknown', update({ geo }), undefined, undefined],
    ['not of a test event', testOf('m'), known, undefined],
    ['notes, to none', notes('m'), known, { kind: 'notes', id: 'm', notes: noNotes }],
  ])('is undone: %s', (_, task, before, inverse) => {
    const { work, connection } = startWork(before);
    expect(work.inverseOf(connection, task)).toStrictEqual(inverse);
  });

  test('of notes is undone to the notes of before, and saved with others', () => {
    const { work, connection, store } = startWork(known);
    work.save(connection, [notes('m', 'A'), testOf('x'), notes('n', 'B')]);
    expect([...store.of('one')].map(([id, { name }]) => [id, name])).toEqual([
      ['m', 'A'],
      ['n', 'B'],
    ]);
    expect(work.inverseOf(connection, notes('m', 'C'))).toEqual(notes('m', 'A'));
    expect([work.isLocal(notes('m')), work.isLocal(testOf('m'))]).toEqual([true, false]);
  });

  test('is sent as it is', async () => {
    const { work, connection, calls, rain } = startWork(known);
    const create = { kind: 'create', label: 'A', geo, callback } as unknown as BulkTask;
    const rainTask = { kind: 'rain', label: 'A', center: geo, minutes: 5, radiusKm: 2 } as BulkTask;
    const sent = [];
    for (const task of [
      create,
      update({ geo }),
      update({ callback }),
      testOf('m'),
      rainTask,
      { kind: 'end-rain', label: 'A', scenarioId: 's' } as BulkTask,
      notes('m'),
    ])
      // oxlint-disable-next-line no-await-in-loop
      sent.push(await work.send(connection, task));
    expect(sent).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      { kind: 'end-rain', label: 'A', scenarioId: 'scenario_1' },
      undefined,
      undefined,
    ]);
    expect(calls).toStrictEqual([
      ['create', create, { connection }],
      ['update', 'm', { geo }, { readBack: false, connection }],
      ['update', 'm', { callback }, { readBack: false, connection }],
      ['paced', true],
      ['test', 'm'],
      ['paced', true],
      ['rain', { center: geo, minutes: 5, radiusKm: 2 }],
      ['paced', true],
      ['end', 's'],
    ]);
    rain.scenario = undefined;
    expect(await work.send(connection, rainTask)).toBeUndefined();
  });
});

describe('what is stored of monitors', () => {
  test('are notes, by connection; empty ones have no row', () => {
    const { db } = openDatabase();
    const store = createMonitorNotes(db);
    const rows = () =>
      db
        .prepare('SELECT * FROM monitor_notes')
        .all()
        .map((row) => Object.values(row));
    expect(store.get('one', 'm')).toBeUndefined();
    store.set('one', 'm', { name: 'A', tags: ['x', 'y', 'x'], note: 'n' });
    expect(store.get('one', 'm')).toEqual({ name: 'A', tags: ['x', 'y'], note: 'n' });
    expect(store.get('two', 'm')).toBeUndefined();
    expect(rows()).toEqual([['one', 'm', 'A', '["x","y"]', 'n']]);
    store.setAll(
      'one',
      new Map([
        ['m', noNotes],
        ['n', { name: '', tags: ['x'], note: '' }],
      ]),
    );
    expect([...store.of('one')]).toEqual([['n', { name: '', tags: ['x'], note: '' }]]);
    db.exec("UPDATE monitor_notes SET tags = '{}'");
    expect(store.get('one', 'n')).toEqual({ name: '', tags: [], note: '' });
    expect(
      [noNotes, { ...noNotes, name: 'a' }, { ...noNotes, tags: ['a'] }, { ...noNotes, note: 'a' }].map(isEmptyNotes),
    ).toEqual([true, false, false, false]);
  });

  test('is the history: the newest 200 edits, and callbacks between them', () => {
    const { db, clock } = openDatabase();
    const history = createMonitorHistory({ db, clock, writes: createWriteGroup(db, clock), account: 'tester' });
    const changes = [{ field: 'geo', before: null, after: '1, 2' }];
    history.record('one', 'm', 'created', changes);
    history.record('two', 'm', 'created', []);
    clock.advance(2000);
    history.record('one', 'm', 'changed', []);
    const insert = db.prepare(
      `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, headers, body, monitor_id)
       VALUES (?, ?, 'POST', '/', '1.1', '127.0.0.1', 200, 0, 0, '[]', x'', ?)`,
    );
    insert.run(1, now + 1000, 'm');
    insert.run(2, now + 1500, 'other');
    insert.run(3, now + 1500, 'm');
    db.exec("INSERT INTO callback_deletions (callback_id, deletion) VALUES (3, 'd')");
    expect(history.of('one', 'm')).toEqual([
      { at: '2026-11-23T12:00:02.000Z', kind: 'changed', by: 'tester', changes: [], callbackId: null },
      { at: '2026-11-23T12:00:01.000Z', kind: 'callback', by: null, changes: [], callbackId: 1 },
      { at: '2026-11-23T12:00:00.000Z', kind: 'created', by: 'tester', changes, callbackId: null },
    ]);
    db.exec(
      "UPDATE monitor_history SET kind = 'nonsense', changes = '7' WHERE kind = 'created' AND connection_id = 'one'",
    );
    expect(history.of('one', 'm')[2]).toMatchObject({ kind: 'changed', changes: [] });
    for (let index = 0; index < 200; index += 1) history.record('one', 'm', 'replaced', []);
    const kinds = history.of('one', 'm').map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'replaced')).toHaveLength(200);
    expect(kinds).toHaveLength(201);
    expect(history.of('two', 'm')).toHaveLength(2);
  });

  test('are small lists, each entry once', () => {
    const { db } = openDatabase();
    const { views, silences, acknowledged, notices } = openMonitorDocuments(db);
    const mark = (connectionId: string, id: string) => ({ connectionId, id, at: '2026-11-23T12:00:00Z', note: '' });
    acknowledged.replace([mark('one', 'f'), mark('two', 'f')]);
    expect(() => acknowledged.replace([mark('one', 'f'), mark('one', 'f')])).toThrow(
      expect.objectContaining({ details: { field: 'id' } }),
    );
    const silence = { kind: 'tag' as const, tag: 'alps', id: 's', until: '2026-11-23T13:00:00Z', note: '' };
    silences.replace([silence, { ...silence, id: 't' }]);
    expect(() => silences.replace([silence, silence])).toThrow(expect.objectContaining({ details: { field: 'id' } }));
    expect(views.get()).toEqual([]);
    expect(() => views.replace([{ name: 'A' }, { name: 'A' }] as never)).toThrow(
      expect.objectContaining({ details: { field: 'name' } }),
    );
    const names = () =>
      db
        .prepare('SELECT name FROM documents ORDER BY name')
        .all()
        .map(({ name }) => name);
    expect(names()).toEqual(['acknowledged fronts', 'silences']);
    const again = openMonitorDocuments(db);
    expect([again.acknowledged.get(), again.silences.get()]).toEqual([
      [mark('one', 'f'), mark('two', 'f')],
      [silence, { ...silence, id: 't' }],
    ]);
    expect([notices, again.notices]).toEqual([[], []]);
    db.exec("UPDATE documents SET json = '7'; INSERT INTO documents VALUES ('monitor views', '7')");
    expect(openMonitorDocuments(db).notices).toHaveLength(3);
  });
});

describe('a delete', () => {
  function startDeletes(setUp = (_db: ReturnType<typeof openDatabase>['db']) => {}) {
    const { db, clock } = openDatabase();
    setUp(db);
    const writes = createWriteGroup(db, clock);
    const { connection, state } = connectionOf('one');
    const sent: string[] = [];
    const open: ((error?: Error) => void)[] = [];
    const counts = { changed: 0, deleted: [] as string[] };
    const deletes = createPendingDeletes({
      clock,
      stored: createHeldDeletes(db, writes),
      send(of, id) {
        sent.push(`${of.profile.id} ${id}`);
        return new Promise<void>((resolve, reject) => void open.push((error) => (error ? reject(error) : resolve())));
      },
      onDeleted: (connectionId, id) => void counts.deleted.push(`${connectionId} ${id}`),
      onChanged: () => (counts.changed += 1),
    });
    const rows = () => {
      writes.flush();
      return db
        .prepare('SELECT connection_id AS c, monitor_id AS m FROM held_deletes ORDER BY 1, 2')
        .all()
        .map(({ c, m }) => `${String(c)} ${String(m)}`);
    };
    const end = async (error?: Error) => {
      open.shift()?.(error);
      await settle();
    };
    return { clock, deletes, connection, state, sent, open, counts, rows, end };
  }
  const held = { state: 'held', sendsAt: '2026-11-23T12:00:08.000Z' };

  test('is held for 8 s, then sent', async () => {
    const { clock, deletes, connection, state, sent, counts, rows, end } = startDeletes();
    expect(deletes.hold(connection, ['a', 'b'])).toEqual({ sendsAt: held.sendsAt });
    expect([deletes.deletionOf('one', 'a'), deletes.deletionOf('two', 'a'), deletes.deletionOf('one', 'c')]).toEqual([
      held,
      null,
      null,
    ]);
    expect([rows(), counts.changed, state.held]).toEqual([['one a', 'one b'], 1, 2]);
    clock.advance(7999);
    expect(sent).toEqual([]);
    clock.advance(1);
    expect([sent, deletes.deletionOf('one', 'a')]).toEqual([['one a', 'one b'], { state: 'sending' }]);
    clock.advance(249);
    expect(counts.changed).toBe(1);
    clock.advance(1);
    expect(counts.changed).toBe(2);
    expect(deletes.undo(connection, ['a'])).toEqual([]);
    expect(counts.changed).toBe(3);
    await end();
    await end(new AppFailure('SERVER', 'No.', { trafficId: 7 }));
    expect([counts.deleted, deletes.deletionOf('one', 'a'), state.held, rows()]).toEqual([
      ['one a'],
      null,
      0,
      ['one b'],
    ]);
    expect(deletes.deletionOf('one', 'b')).toEqual({ state: 'failed', message: 'No.', trafficId: 7 });
    clock.advance(250);
    expect(counts.changed).toBe(4);
    // It can be held again.
    deletes.hold(connection, ['b']);
    expect([deletes.deletionOf('one', 'b')?.state, state.held]).toEqual(['held', 1]);
  });

  test('is undone', () => {
    const { clock, deletes, connection, state, sent, counts, rows } = startDeletes();
    deletes.hold(connection, ['a', 'b']);
    deletes.hold(connection, ['b', 'c']);
    expect(state.held).toBe(3);
    expect(deletes.undo(connection, ['b', 'x', 'a'])).toEqual(['b', 'a']);
    expect([rows(), state.held, counts.changed]).toEqual([['one c'], 1, 3]);
    clock.advance(8000);
    expect(sent).toEqual(['one c']);
  });

  test('of a monitor that is gone is done, and another failure is shown', async () => {
    const { clock, deletes, connection, counts, end, rows } = startDeletes();
    deletes.hold(connection, ['a', 'b']);
    clock.advance(8000);
    await end(new AppFailure('NOT_FOUND', 'Gone.'));
    await end(new TypeError('bug'));
    expect([counts.deleted, rows()]).toEqual([['one a'], ['one b']]);
    expect(deletes.deletionOf('one', 'b')).toMatchObject({
      state: 'failed',
      message: expect.not.stringContaining('bug'),
    });
    expect(deletes.undo(connection, ['b'])).toEqual(['b']);
    expect(rows()).toEqual([]);
  });

  test('is sent before the app ends, 32 at once, and waits 5 s at most', async () => {
    const { clock, deletes, connection, sent, open, end } = startDeletes();
    deletes.hold(
      connection,
      Array.from({ length: 40 }, (_, index) => `m${index}`),
    );
    let isOver = false;
    const flushed = deletes.flush().then(() => (isOver = true));
    await settle();
    expect([sent.length, open.length]).toEqual([32, 32]);
    await end();
    expect(sent).toHaveLength(33);
    clock.advance(4999);
    await settle();
    expect(isOver).toBe(false);
    clock.advance(1);
    await flushed;
    clock.advance(8000);
    expect(sent).toHaveLength(33);
  });

  test('of before a crash is shown, and sent only if the user wants it', async () => {
    const { clock, deletes, connection, sent, rows, state } = startDeletes((db) =>
      db.exec("INSERT INTO held_deletes (connection_id, monitor_id) VALUES ('one', 'a'), ('one', 'b')"),
    );
    expect(deletes.deletionOf('one', 'a')).toEqual({ state: 'failed', message: expect.stringMatching(/\S/) });
    await deletes.flush();
    expect(sent).toEqual([]);
    expect(deletes.undo(connection, ['a'])).toEqual(['a']);
    expect([rows(), state.held]).toEqual([['one b'], 0]);
    deletes.hold(connection, ['b']);
    clock.advance(8000);
    expect(sent).toEqual(['one b']);
  });
});
