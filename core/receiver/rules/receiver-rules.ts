// Stores the receiver's rules as one document in app.sqlite.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import {
  type HeaderList,
  placeholderProblem,
  type ReceiverRules,
  receiverRulesSchema,
  type ResponseStep,
} from '@rainbell/contract/app-rpc';
import { openDocument } from '../../database/stored-document.ts';
import { AppFailure } from '../../errors/app-failure.ts';

export function createReceiverRulesStore(db: DatabaseSync) {
  const schema = receiverRulesSchema;
  const document = openDocument<ReceiverRules>(db, { name: 'receiver rules', schema, empty: schema.parse({}) });
  return {
    get: document.get,
    /** Throws AppFailure INVALID_INPUT if a header cannot be sent, or a placeholder is unknown. */
    replace(rules: ReceiverRules) {
      rules.rules.forEach((rule, ruleIndex) => {
        rule.steps.forEach((step, stepIndex) => checkStep(step, `rules.${ruleIndex}.steps.${stepIndex}`));
        if (rule.failure) checkStep(rule.failure.step, `rules.${ruleIndex}.failure.step`);
      });
      document.replace(rules);
    },
  };
}

/** The length follows from the body, and the connection from the receiver's limits. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade']);

function checkStep(step: ResponseStep, field: string): void {
  if (step.kind !== 'answer') return;
  checkHeaders(step.headers, `${field}.headers`);
  const texts = [step.body, ...step.headers.map(([, value]) => value)];
  const problem = step.hasPlaceholders ? texts.map(placeholderProblem).find((one) => one !== undefined) : undefined;
  if (problem !== undefined) throw new AppFailure('INVALID_INPUT', problem, { field: `${field}.body` });
}

/** Throws AppFailure INVALID_INPUT if a header cannot be sent. */
export function checkHeaders(headers: HeaderList, field: string): void {
  for (const [name, value] of headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      const message = `The header “${name}” cannot be sent: its name or value has a character that HTTP does not allow.`;
      throw new AppFailure('INVALID_INPUT', message, { field }, { cause: error });
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw new AppFailure('INVALID_INPUT', `The header “${name}” is set by the receiver itself. Leave it out.`, {
        field,
      });
    }
  }
}
