// The prose check: every rule finds its example and passes its counterexample, in each kind of text that it is for.
import { describe, expect, it } from 'vitest';
import { proseProblems } from '#scripts/prose.mjs';
import { type Kind, proseRules } from '#scripts/prose-rules.mjs';

const files: Readonly<Record<Kind, (text: string) => readonly [file: string, source: string]>> = {
  screen: (text) => ['renderer/A.tsx', `export const A = () => <p title={${JSON.stringify(text)}}>A</p>;`],
  document: (text) => ['docs/a.md', `# A\n\n${text}\n`],
  comment: (text) => ['core/a.ts', `/** ${text} */\nexport const a = 1;`],
  'test name': (text) => ['test/a.test.ts', `it(${JSON.stringify(text)}, () => {});`],
};
const kindsOf = (kinds?: readonly Kind[]) => kinds ?? (Object.keys(files) as Kind[]);

/** By what a rule proposes: a text that it finds, and one that it passes. */
const examples: readonly (readonly [instead: string, hit: string, miss: string])[] = [
  ['is not a …', 'The body is no JSON object.', 'There is no token. It is no longer needed.'],
  ['again', 'The receiver starts anew.', 'Use a new token.'],
  ['someone, everyone, anyone, no one, or the actor’s name', 'Nobody answered in time.', 'No one signed in.'],
  ['started', 'The attempt was begun.', 'The attempt started.'],
  ['automatically, or leave it out', 'The token refreshes by itself.', 'The token refreshes automatically.'],
  [
    'must, so, so that, which, while, among, should, now',
    'The key is copied, lest it be lost.',
    'The list must be sorted, so that lists compare.',
  ],
  ['fix, break, follow', 'It heeds Retry-After.', 'The recommended value follows Retry-After.'],
  ['don’t have to', 'You need not sign in.', 'You don’t need to sign in.'],
  ['how long, how many, or the limit', 'A connection may stay for so long.', 'It is so long that lines wrap.'],
  ['your …, our …', 'A server of yours receives it.', 'Your server receives it.'],
  ['its own …, separate', 'It has a page of its own.', 'The size of its own page'],
  [
    'is shown, reports, returns',
    'The service is told that the token ended.',
    'Two callbacks are told apart by their IDs.',
  ],
  ['is, appears', 'The result stands in the list.', 'It stands for any number, and nothing stands out.'],
  ['if', 'Undefined where the file is missing.', 'Undefined if the file is missing. It stays where the user put it.'],
  ['no longer', 'The token is not valid any more.', 'Are there any more pages?'],
  [
    'otherwise',
    'It closes at once; else the port stays open.',
    'Nothing else changes, or someone else’s event is shown.',
  ],
  [
    'except, differently from',
    'Everything is deleted but for the key.',
    'Not for everyone, but for two users. Everything except the key.',
  ],
  ['user, someone', 'The person signs in.', 'Notes are personal.'],
  ['simulated, sample', 'Made-up weather', 'It makes up for it.'],
  ['still, sometimes, or leave it out', 'It is sent all the same.', 'They all have the same size.'],
  ['is available', 'It runs where Electron can be had.', 'It would be hard to.'],
  ['because', 'It is bounded, since it comes from outside.', 'Why it is silent, since when, and since May.'],
  ['even if, even when', 'It is sent, also if it is empty.', 'It is sent, even if it is empty. It is also stored.'],
  [
    'US spelling: license, color, behavior, canceled, center, -ize',
    'The licence names the colour.',
    'The license names the color; a cancellation takes a minute.',
  ],
  ['client ID, ID', 'Enter the client id.', 'Send client_id with the client ID.'],
  ['URL', 'The base address must start with https://.', 'The IP address and the email address are checked.'],
  ['response', 'The answer is no JSON.', 'The service answers with status 200.'],
  ['sign-in page', 'Open the authorization dialog.', 'The dialog closes with Escape.'],
  ['time', 'Enter an instant such as 2026-11-21T08:00:00Z.', 'Search is instantaneous.'],
  ['refresh', 'The token was renewed.', 'The certificate was renewed.'],
  ['request', 'Choose an exchange to see its headers.', 'Exchange the code for a token.'],
  ['error, bug', 'A fault of Rainbell’s own', 'Start a fault in the sandbox.'],
  ['the … screen', 'Get a token on the screen Access.', 'Get a token on the Access screen.'],
  ['in plain text', 'Settings are kept in clear.', 'Write in clear sentences.'],
  ['network, internet', 'It needs no net.', 'It needs no network, and a .NET client works.'],
  ['leave it out', 'Please try again.', 'Try again.'],
  ['use, to, before', 'Sort it in order to find it.', 'It arrives in order, to one receiver.'],
];

it('has an example and a counterexample for each rule', () => {
  expect(examples.map(([instead]) => instead)).toEqual(proseRules.map(({ instead }) => instead));
});

describe.each(examples)('the rule that proposes “%s”', (instead, hit, miss) => {
  it.each(kindsOf(proseRules.find((rule) => rule.instead === instead)?.kinds))(
    'finds it in a %s, and passes the counterexample',
    (kind) => {
      expect(proseProblems(...files[kind](hit)).map((problem) => problem.instead)).toContain(instead);
      expect(proseProblems(...files[kind](miss)).filter((problem) => problem.instead === instead)).toEqual([]);
    },
  );
});

describe('the prose check', () => {
  it('reads JSX, templates, and line comments, and names the line', () => {
    const source =
      '// Starts anew.\nconst a = (b: string) => `Starts ${b} anew.`;\nconst c = <p>\n  It starts anew.\n</p>;\n';
    expect(proseProblems('core/a.tsx', source).map(({ line, found }) => [line, found])).toEqual([
      [1, 'anew'],
      [2, 'anew'],
      [4, 'anew'],
    ]);
  });

  it('passes types, imports, SQL, and the code of documents', () => {
    const code = "import x from './start anew.ts';\ntype A = 'start anew';\nconst a = sql`start anew`;\n";
    expect(proseProblems('core/a.ts', code)).toEqual([]);
    expect(proseProblems('docs/a.md', 'Run `start anew`:\n```sh\nstart anew\n```\n[a](anew now)\n')).toEqual([]);
  });
});
