// The notes, the history, and the small lists of monitors over the real database, and what is read of damaged ones.
import { describe, expect, test } from 'vitest';
import { createWriteGroup } from '#core/database/write-group.ts';
import { openFrontDocuments } from '#core/fronts/front-documents.ts';
import { openMonitorViews } from '#core/monitors/monitor-notes.ts';
import { createMonitorHistory } from '#core/monitors/monitor-history.ts';
import { createMonitorNotes, isEmptyNotes, noNotes } from '#core/monitors/monitor-notes.ts';
import { now, openDatabase } from './monitor-samples.ts';

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
    const open = () => {
      const notices: string[] = [];
      return { notices, views: openMonitorViews(db, notices), ...openFrontDocuments(db, notices) };
    };
    const { views, silences, acknowledged, notices } = open();
    const mark = (connectionId: string, id: string) => ({
      connectionId,
      id,
      by: 'anna',
      at: '2026-11-23T12:00:00Z',
      note: '',
    });
    acknowledged.replace([mark('one', 'f'), mark('two', 'f')]);
    expect(() => acknowledged.replace([mark('one', 'f'), mark('one', 'f')])).toThrow(
      expect.objectContaining({ details: { field: 'id' } }),
    );
    const monitors = { kind: 'tag' as const, tag: 'alps' };
    const silence = { ...mark('one', 's'), until: '2026-11-23T13:00:00Z', monitors };
    silences.replace([silence, { ...silence, id: 't' }]);
    expect(() => silences.replace([silence, silence])).toThrow(expect.objectContaining({ details: { field: 'id' } }));
    expect(views.get()).toEqual([]);
    expect(() =>
      views.replace([
        { name: 'A', query: '' },
        { name: 'A', query: '' },
      ]),
    ).toThrow(expect.objectContaining({ details: { field: 'name' } }));
    const names = () =>
      db
        .prepare('SELECT name FROM documents ORDER BY name')
        .all()
        .map(({ name }) => name);
    expect(names()).toEqual(['acknowledged fronts', 'silences']);
    const again = open();
    expect([again.acknowledged.get(), again.silences.get()]).toEqual([
      [mark('one', 'f'), mark('two', 'f')],
      [silence, { ...silence, id: 't' }],
    ]);
    expect([notices, again.notices]).toEqual([[], []]);
    db.exec("UPDATE documents SET json = '7'; INSERT INTO documents VALUES ('monitor views', '7')");
    expect(open().notices).toHaveLength(3);
  });
});
