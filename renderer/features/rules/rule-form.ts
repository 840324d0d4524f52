// A rule as it is typed, and as core keeps it.
import type { ReceiverRules, ResponseRule } from '#contract/app-rpc/rules.ts';
import { readSteps, writeSteps } from './step-notation.ts';

export type RuleForm = {
  id: number;
  name: string;
  isOn: boolean;
  /** Empty for every method. */
  method: string;
  path: string;
  steps: string;
  body: string;
  /** A line per header, such as `Retry-After: 30`. */
  headers: string;
  afterLast: ResponseRule['afterLast'];
};

export type RuleProblems = { name?: string; path?: string; steps?: string; headers?: string };

export function emptyRule(id: number): RuleForm {
  return {
    id,
    name: `Rule ${id}`,
    isOn: true,
    method: '',
    path: '/hooks/*',
    steps: '500, 500, 200',
    body: '',
    headers: '',
    afterLast: 'stay',
  };
}

/**
 * What a browser's page needs to call the receiver from another origin (the Fetch standard's CORS protocol): an answer to the
 * question that browsers ask first, and the permission on each answer.
 */
export function corsForms(id: number): [RuleForm, RuleForm] {
  const allowed = 'Access-Control-Allow-Origin: *';
  const preflight = [
    allowed,
    'Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers: *, Authorization',
    'Access-Control-Max-Age: 600',
  ].join('\n');
  return [
    {
      ...emptyRule(id),
      name: 'CORS: the browser asks',
      method: 'OPTIONS',
      path: '/*',
      steps: '204',
      headers: preflight,
    },
    { ...emptyRule(id + 1), name: 'CORS: pages may read the answer', path: '/*', steps: '200', headers: allowed },
  ];
}

export function formOfRule(rule: ResponseRule, id: number): RuleForm {
  const answer = rule.steps.find((step) => step.kind === 'answer');
  return {
    id,
    name: rule.name,
    isOn: rule.isOn,
    method: rule.method ?? '',
    path: rule.path,
    steps: writeSteps(rule.steps),
    body: answer?.body ?? '',
    headers: (answer?.headers ?? []).map(([name, value]) => `${name}: ${value}`).join('\n'),
    afterLast: rule.afterLast,
  };
}

export function problemsOf(form: RuleForm): RuleProblems {
  const problems: RuleProblems = {};
  if (form.name.trim() === '' || form.name.length > 100) problems.name = 'A name of 1 to 100 characters.';
  if (!/^\/[^*?#\s]*\*?$/.test(form.path)) problems.path = 'Begins with / and may end with *, for instance /hooks/*.';
  const steps = readSteps(form.steps, { body: form.body, headers: [] });
  if (!steps.ok) problems.steps = steps.problem;
  if (!readHeaders(form.headers)) problems.headers = 'A line per header, with a colon after its name: Retry-After: 30.';
  return problems;
}

/** Undefined where a line is no header. */
function readHeaders(text: string): [string, string][] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()];
  });
  return headers.every(([name]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) ? headers : undefined;
}

/** The rules to keep, or undefined where something typed is wrong. */
export function rulesOf(forms: readonly RuleForm[], pause: ReceiverRules['pause']): ReceiverRules | undefined {
  const rules: ResponseRule[] = [];
  for (const form of forms) {
    const steps = readSteps(form.steps, { body: form.body, headers: readHeaders(form.headers) ?? [] });
    if (!steps.ok || Object.keys(problemsOf(form)).length > 0) return undefined;
    const { name, isOn, path, afterLast } = form;
    rules.push({
      name: name.trim(),
      isOn,
      method: form.method === '' ? null : form.method,
      path,
      steps: steps.steps,
      afterLast,
    });
  }
  return { pause, rules };
}

/** What the button says: the plain 200, the number of rules, or the pause. */
export function rulesSummary(values: ReceiverRules | null): string {
  if (values?.pause === 'refuse') return 'Paused: 503';
  if (values?.pause === 'drop') return 'Paused: 200, dropped';
  const count = values?.rules.filter(({ isOn }) => isOn).length ?? 0;
  return count === 0 ? 'Answers 200' : `${count} ${count === 1 ? 'rule' : 'rules'}`;
}
