// The notes and the small lists of monitors over the real database, and what is read of damaged ones.
import { describe, expect, test } from 'vitest';
import { monitorViewSchema } from '#contract/app-rpc/monitors.ts';
import { documentRemarks, openStoredList } from '#core/database/stored-document.ts';
import { openFrontDocuments } from '#core/fronts/fronts.ts';
import { createMonitorNotes, isEmptyNotes, noNotes } from '#core/monitors/monitor-notes.ts';
import { openDatabase } from './monitor-samples.ts';

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

  test('are small lists, and damaged ones are reported', () => {
    const { db } = openDatabase();
    const open = () => ({
      views: openStoredList(db, 'monitor views', monitorViewSchema.array()),
      ...openFrontDocuments(db),
    });
    const { silences, acknowledged } = open();
    const mark = (connectionId: string, id: string) => ({
      connectionId,
      id,
      by: 'anna',
      at: '2026-11-23T12:00:00Z',
      note: '',
    });
    const monitors = { kind: 'tag' as const, tag: 'alps' };
    const silence = { ...mark('one', 's'), until: '2026-11-23T13:00:00Z', monitors };
    acknowledged.replace([mark('one', 'f'), mark('two', 'f')]);
    silences.replace([silence, { ...silence, id: 't' }]);
    const again = open();
    expect([again.acknowledged.get(), again.silences.get(), again.views.get(), documentRemarks(db)]).toEqual([
      [mark('one', 'f'), mark('two', 'f')],
      [silence, { ...silence, id: 't' }],
      [],
      [],
    ]);
    db.exec("UPDATE documents SET json = '7'; INSERT INTO documents VALUES ('monitor views', '7')");
    open();
    expect(documentRemarks(db)).toHaveLength(3);
  });
});
