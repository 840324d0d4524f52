// A rule as it is typed, and as core keeps it.
import {
  conditionProblem,
  placeholderProblem,
  type ReceiverRules,
  type ResponseRule,
} from '@rainbell/contract/app-rpc';
import { headersOfText, headersProblem, headersText } from '../callbacks/send/send-form.ts';
import { readSteps, writeSteps } from './step-notation.ts';

export type RuleForm = {
  id: number;
  name: string;
  isOn: boolean;
  /** Empty for every method. */
  method: string;
  path: string;
  /** A condition of the search language; empty for every request. */
  condition: string;
  steps: string;
  body: string;
  /** A line per header, such as `Retry-After: 30`. */
  headers: string;
  /** Steps with a response of their own, by their place from 0; the others have `body` and `headers`. */
  own: Readonly<Record<number, StepResponse>>;
  hasPlaceholders: boolean;
  /** Such as `10 per 60 s`; empty for no limit. */
  limit: string;
  /** Such as `20% 503`; empty for none. */
  failure: string;
  afterLast: ResponseRule['afterLast'];
};

export type StepResponse = Pick<RuleForm, 'body' | 'headers'>;

export type RuleProblems = Partial<
  Record<'name' | 'path' | 'condition' | 'steps' | 'body' | 'headers' | 'limit' | 'failure', string>
>;

export function emptyRule(id: number): RuleForm {
  return {
    id,
    name: `Rule ${id}`,
    isOn: true,
    method: '',
    path: '/hooks/*',
    condition: '',
    steps: '500, 500, 200',
    body: '',
    headers: '',
    own: {},
    hasPlaceholders: false,
    limit: '',
    failure: '',
    afterLast: 'stay',
  };
}

export function formOfRule(rule: ResponseRule, id: number): RuleForm {
  const responses = rule.steps.map((step) =>
    step.kind === 'answer' ? { body: step.body, headers: headersText(step.headers) } : undefined,
  );
  const shared = responses.find((response) => response !== undefined) ?? { body: '', headers: '' };
  const own = Object.fromEntries(
    responses.flatMap((response, index) =>
      response && (response.body !== shared.body || response.headers !== shared.headers) ? [[index, response]] : [],
    ),
  );
  const { limit, failure } = rule;
  return {
    id,
    name: rule.name,
    isOn: rule.isOn,
    method: rule.method ?? '',
    path: rule.path,
    condition: rule.condition,
    steps: writeSteps(rule.steps),
    ...shared,
    own,
    hasPlaceholders: rule.steps.some((step) => step.kind === 'answer' && step.hasPlaceholders),
    // As `readLimit` reads it.
    limit: limit ? `${limit.requests} per ${limit.seconds} s` : '',
    failure: failure ? `${failure.percent}% ${writeSteps([failure.step])}` : '',
    afterLast: rule.afterLast,
  };
}

/** The response of a step, or of all without one of their own (null). */
export function stepResponse(form: RuleForm, step: number | null): StepResponse {
  const { body, headers } = (step === null ? undefined : form.own[step]) ?? form;
  return { body, headers };
}

export function withStepResponse(form: RuleForm, step: number | null, changes: Partial<StepResponse>): RuleForm {
  if (step === null) return { ...form, ...changes };
  return { ...form, own: { ...form.own, [step]: { ...stepResponse(form, step), ...changes } } };
}

/** Names of the steps, such as `2: 500`. */
export function stepNames(steps: string): string[] {
  return steps
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => `${index + 1}: ${part}`);
}

export function problemsOf(form: RuleForm): RuleProblems {
  const problems: RuleProblems = {};
  if (form.name.trim() === '' || form.name.length > 100) problems.name = 'Enter a name of at most 100 characters.';
  if (!/^\/[^*?#\s]*\*?$/.test(form.path)) problems.path = 'Start with /, for example /hooks/*.';
  const condition = conditionProblem(form.condition);
  if (condition !== undefined) problems.condition = condition;
  const steps = readSteps(form.steps, { body: form.body, headers: [] });
  if (!steps.ok) problems.steps = steps.problem;
  const responses = [stepResponse(form, null), ...Object.values(form.own)];
  if (responses.some(({ headers }) => headersProblem(headers) !== undefined))
    problems.headers = 'Enter one header per line, for example Retry-After: 30.';
  const unknown = form.hasPlaceholders ? responses.map(textProblem).find((one) => one !== undefined) : undefined;
  if (unknown !== undefined) problems.body = unknown;
  if (readLimit(form.limit) === undefined)
    problems.limit = 'Enter a number of requests and a period of at most 1 h, for example 10 per 60 s.';
  if (readFailure(form.failure) === undefined)
    problems.failure = 'Enter a percentage and a response, for example 20% 503.';
  return problems;
}

function textProblem({ body, headers }: StepResponse): string | undefined {
  return placeholderProblem(body) ?? placeholderProblem(headers);
}

/** Null for no limit, undefined for a text that is none. */
function readLimit(text: string): ResponseRule['limit'] | undefined {
  if (text.trim() === '') return null;
  const [, requests, seconds] = /^\s*(\d{1,5})\s*(?:per|\/)\s*(\d{1,4})\s*s\s*$/i.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  const isValid = limit.requests >= 1 && limit.requests <= 10_000 && limit.seconds >= 1 && limit.seconds <= 3600;
  return isValid ? limit : undefined;
}

/** Null for none, undefined for a text that is none. */
function readFailure(text: string): ResponseRule['failure'] | undefined {
  if (text.trim() === '') return null;
  const [, digits, what = ''] = /^\s*(\d{1,3})\s*%\s*(\S.*)$/.exec(text) ?? [];
  const read = readSteps(what, { body: '', headers: [] });
  const step = read.ok && read.steps.length === 1 ? read.steps[0] : undefined;
  const percent = Number(digits);
  return step && percent >= 1 && percent <= 100 ? { percent, step } : undefined;
}

/** Returns the rules to save, or undefined if any input is invalid. */
export function rulesOf(forms: readonly RuleForm[], pause: ReceiverRules['pause']): ReceiverRules | undefined {
  const rules: ResponseRule[] = [];
  for (const form of forms) {
    const steps = readSteps(form.steps, { body: '', headers: [] });
    if (!steps.ok || Object.keys(problemsOf(form)).length > 0) return undefined;
    const { name, isOn, path, condition, hasPlaceholders, afterLast } = form;
    rules.push({
      name: name.trim(),
      isOn,
      method: form.method === '' ? null : form.method,
      path,
      condition: condition.trim(),
      limit: readLimit(form.limit) ?? null,
      failure: readFailure(form.failure) ?? null,
      steps: steps.steps.map((step, index) => {
        if (step.kind !== 'answer') return step;
        const { body, headers } = stepResponse(form, index);
        return { ...step, body, headers: headersOfText(headers), hasPlaceholders };
      }),
      afterLast,
    });
  }
  return { pause, rules };
}

/** What the button says: the plain 200, the number of rules, or the pause. */
export function rulesSummary(values: ReceiverRules | null): string {
  if (values?.pause === 'refuse') return 'Response rules: paused, 503';
  const count = values?.rules.filter(({ isOn }) => isOn).length ?? 0;
  return count === 0 ? 'Response rules: none' : `Response rules: ${count} on`;
}
