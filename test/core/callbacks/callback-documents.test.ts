// The small lists beside the callbacks: named endpoints, saved filters, and forward targets.
import { describe, expect, test } from 'vitest';
import { openCallbackDocuments } from '#core/callbacks/callback-documents.ts';
import { openCallbackStore } from './callback-store.ts';

const endpoint = { id: 'a', name: 'A', path: '/a', keptCallbacks: null, keptDays: null, keptMegabytes: null };
const filter = { name: 'rain', query: 'body:rain' };
const added = { headers: [], signing: 'as-received', sender: null, retries: 0 } as const;
const target = { id: 'a', url: 'http://a.test/', isOn: true, path: '/*', keepsPath: false, ...added };

const lists = [
  ['endpoints', 'endpoints', endpoint, { ...endpoint, id: 'b' }, 'id', '“a”'],
  ['filters', 'callback filters', filter, { ...filter, name: 'hail' }, 'name', '“rain”'],
  ['forwardTargets', 'forward targets', target, { ...target, id: 'b' }, 'id', '“a”'],
] as const;

describe.each(lists)('the list of %s', (list, name, first, second, key, twice) => {
  const open = (db: Parameters<typeof openCallbackDocuments>[0]) => {
    const documents = openCallbackDocuments(db);
    const { get, replace } = documents[list];
    return { get, notices: documents.notices, replace: replace as (entries: readonly unknown[]) => void };
  };

  test('is stored as a whole, without two of one key', () => {
    const { db } = openCallbackStore([]);
    const documents = open(db);
    documents.replace([first, second]);
    expect(() => documents.replace([first, { ...first }])).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(twice),
        details: { field: key },
      }),
    );
    expect([documents.get(), open(db).get(), open(db).notices]).toEqual([[first, second], [first, second], []]);
  });

  test('starts empty if it cannot be read, and is backed up', () => {
    const { db } = openCallbackStore([]);
    db.prepare('INSERT INTO documents (name, json) VALUES (?, ?)').run(name, '[7]');
    const { get, notices } = open(db);
    expect([get(), notices]).toEqual([[], [expect.stringContaining(name)]]);
    const backup = db.prepare('SELECT json FROM documents WHERE name = ?').get(`${name}, unreadable`);
    expect(backup).toEqual({ json: '[7]' });
  });
});
