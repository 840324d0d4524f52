// Which rules are stored, and which are refused.
import { expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { checkHeaders, createReceiverRulesStore } from '#core/receiver/rules/receiver-rules.ts';
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

test.each([
  ['a header that HTTP does not allow', rulesOf(answer({ headers: [['a b', 'c']] })), 'rules.0.steps.1.headers'],
  ['a value that HTTP does not allow', rulesOf(answer({ headers: [['a', 'b\nc']] })), 'rules.0.steps.1.headers'],
  ['a header of the receiver', rulesOf(answer({ headers: [['Content-Length', '1']] })), 'rules.0.steps.1.headers'],
  [
    'another one',
    rulesOf(
      answer({
        headers: [
          ['x', '1'],
          ['UPGRADE', 'x'],
        ],
      }),
    ),
    'rules.0.steps.1.headers',
  ],
  ['an unknown placeholder', rulesOf(answer({ body: '{{rain}}', hasPlaceholders: true })), 'rules.0.steps.1.body'],
  [
    'an unknown placeholder in a header',
    rulesOf(answer({ headers: [['a', '{{rain}}']], hasPlaceholders: true })),
    'rules.0.steps.1.body',
  ],
  [
    'a failure with such a header',
    rulesOf(answer({}), answer({ headers: [['te\n', '']] })),
    'rules.0.failure.step.headers',
  ],
])('refuses %s', (_, rules, field) => {
  const { db } = openCallbackStore([]);
  const store = createReceiverRulesStore(db);
  expect(() => store.replace(rules)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', details: { field } }));
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
  expect([store.get(), later.get(), later.notices]).toEqual([rules, rules, []]);
});

test.each(['Content-Length', 'transfer-encoding', 'Connection', 'KEEP-ALIVE', 'upgrade'])(
  'refuses the header %s, which the receiver sets itself',
  (name) => {
    expect(() =>
      checkHeaders(
        [
          ['x-a', '1'],
          [name, '1'],
        ],
        'headers',
      ),
    ).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(`“${name}” is set`) }));
  },
);

test.each(['{', '{"rules":7}'])('turns rules off that cannot be read, and keeps a copy: %s', (json) => {
  const { db } = openCallbackStore([]);
  db.prepare("INSERT INTO documents (name, json) VALUES ('receiver rules', ?)").run(json);
  const store = createReceiverRulesStore(db);
  expect([store.get().rules, store.notices.length]).toEqual([[], 1]);
  expect(db.prepare("SELECT json FROM documents WHERE name = 'receiver rules, unreadable'").get()).toEqual({ json });
});
