// Which rules are stored, and which are refused.
import { expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { documentRemarks } from '#core/database/stored-document.ts';
import { createReceiverRulesStore } from '#core/receiver/rules/receiver-rules.ts';
import { openCallbackStore } from '#test/core/callbacks/callback-store.ts';

const answer = (more: object) => ({ kind: 'answer', status: 200, ...more });
const rulesOf = (step: object, failure?: object) =>
  receiverRulesSchema.parse({
    rules: [
      {
        name: 'r',
        path: '/*',
        steps: [answer({}), step],
        ...(failure ? { failure: { percent: 1, step: failure } } : {}),
      },
    ],
  });

const ownHeaders = ['Content-Length', 'transfer-encoding', 'Connection', 'KEEP-ALIVE', 'upgrade'];

test.each<[string, object, string]>([
  ['a header that HTTP does not allow', { headers: [['a b', 'c']] }, 'headers'],
  ['a value that HTTP does not allow', { headers: [['a', 'b\nc']] }, 'headers'],
  ...ownHeaders.map((name): [string, object, string] => [
    `${name}, which the receiver sets itself`,
    {
      headers: [
        ['x-a', '1'],
        [name, '1'],
      ],
    },
    'headers',
  ]),
  ['an unknown placeholder', { body: '{{rain}}', hasPlaceholders: true }, 'body'],
  ['an unknown placeholder in a header', { headers: [['a', '{{rain}}']], hasPlaceholders: true }, 'body'],
])('refuses %s, in a step and in a failure', (_, response, field) => {
  const { db } = openCallbackStore([]);
  const store = createReceiverRulesStore(db);
  const refused = (place: string) =>
    expect.objectContaining({ code: 'INVALID_INPUT', details: { field: `rules.0.${place}.${field}` } });
  expect(() => store.replace(rulesOf(answer(response)))).toThrow(refused('steps.1'));
  expect(() => store.replace(rulesOf(answer({}), answer(response)))).toThrow(refused('failure.step'));
  expect([store.get().rules, createReceiverRulesStore(db).get().rules]).toEqual([[], []]);
});

test.each([
  ['a placeholder', rulesOf(answer({ body: '{{method}}', headers: [['a', '{{path}}']], hasPlaceholders: true }))],
  ['text that looks like a placeholder', rulesOf(answer({ body: '{{rain}}', headers: [['a', '{{rain}}']] }))],
  ['a closed connection', rulesOf({ kind: 'close' }, answer({ headers: [['a', 'b']] }))],
])('stores %s', (_, rules) => {
  const { db } = openCallbackStore([]);
  const store = createReceiverRulesStore(db);
  store.replace(rules);
  const later = createReceiverRulesStore(db);
  expect([store.get(), later.get(), documentRemarks(db)]).toEqual([rules, rules, []]);
});

test.each(['{', '{"rules":7}'])('turns rules off that cannot be read, and keeps a copy: %s', (json) => {
  const { db } = openCallbackStore([]);
  db.prepare("INSERT INTO documents (name, json) VALUES ('receiver rules', ?)").run(json);
  const store = createReceiverRulesStore(db);
  expect([store.get().rules, documentRemarks(db).length]).toEqual([[], 1]);
  expect(db.prepare("SELECT json FROM documents WHERE name = 'receiver rules, unreadable'").get()).toEqual({ json });
});
