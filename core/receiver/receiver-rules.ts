// The receiver's rules at rest, as one document in app.sqlite; garbage in it is set aside, said, and never loses the app
// its start.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { receiverRulesSchema, type ReceiverRules, type ResponseStep } from '#contract/app-rpc/rules.ts';
import { AppFailure } from '#core/errors/app-failure.ts';

export type ReceiverRulesStore = {
  readonly notices: readonly string[];
  get: () => ReceiverRules;
  /** Throws AppFailure INVALID_INPUT where a header cannot be sent. */
  replace: (rules: ReceiverRules) => void;
};

export function createReceiverRulesStore(db: DatabaseSync): ReceiverRulesStore {
  const read = db.prepare("SELECT json FROM documents WHERE name = 'receiver rules'");
  const write = db.prepare("INSERT OR REPLACE INTO documents (name, json) VALUES ('receiver rules', ?)");
  const keepAside = db.prepare(
    "INSERT OR REPLACE INTO documents (name, json) VALUES ('receiver rules, unreadable', ?)",
  );
  const notices: string[] = [];
  let current = receiverRulesSchema.parse({});
  const stored = read.get()?.['json'];
  if (typeof stored === 'string') {
    const rules = parseRules(stored);
    if (rules) current = rules;
    else {
      keepAside.run(stored);
      notices.push(
        'The rules of the callback receiver could not be read and are switched off; app.sqlite keeps them aside.',
      );
    }
  }
  return {
    notices,
    get: () => current,
    replace(rules) {
      rules.rules.forEach((rule, ruleIndex) => {
        rule.steps.forEach((step, stepIndex) => checkHeaders(step, `rules.${ruleIndex}.steps.${stepIndex}.headers`));
      });
      write.run(JSON.stringify(rules));
      current = rules;
    },
  };
}

function parseRules(json: string): ReceiverRules | undefined {
  try {
    return receiverRulesSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** The length follows from the body, and the connection from the receiver's limits. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade']);

function checkHeaders(step: ResponseStep, field: string): void {
  if (step.kind !== 'answer') return;
  for (const [name, value] of step.headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      const words = `The header “${name}” cannot be sent: its name or value has a character that HTTP does not allow.`;
      throw new AppFailure('INVALID_INPUT', words, { field }, { cause: error });
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw new AppFailure('INVALID_INPUT', `The header “${name}” is set by the receiver itself. Leave it out.`, {
        field,
      });
    }
  }
}
