// A rule as it is typed, and as core keeps it.
import type { ReceiverRules, ResponseRule } from '#contract/procedures/rules.ts';
import { readSteps, writeSteps } from './step-notation.ts';

export type RuleForm = {
  key: number;
  name: string;
  isOn: boolean;
  /** Empty for every method. */
  method: string;
  path: string;
  steps: string;
  body: string;
  headers: [string, string][];
  afterLast: ResponseRule['afterLast'];
};

export type RuleProblems = { name?: string; path?: string; steps?: string };

export function emptyRule(key: number): RuleForm {
  return {
    key,
    name: `Rule ${key}`,
    isOn: true,
    method: '',
    path: '/hooks/*',
    steps: '500, 500, 200',
    body: '',
    headers: [],
    afterLast: 'stay',
  };
}

export function formOfRule(rule: ResponseRule, key: number): RuleForm {
  const answer = rule.steps.find((step) => step.kind === 'answer');
  return {
    key,
    name: rule.name,
    isOn: rule.isOn,
    method: rule.method ?? '',
    path: rule.path,
    steps: writeSteps(rule.steps),
    body: answer?.body ?? '',
    headers: answer?.headers ?? [],
    afterLast: rule.afterLast,
  };
}

export function problemsOf(form: RuleForm): RuleProblems {
  const problems: RuleProblems = {};
  if (form.name.trim() === '' || form.name.length > 100) problems.name = 'A name of 1 to 100 characters.';
  if (!/^\/[^*?#\s]*\*?$/.test(form.path)) problems.path = 'Begins with / and may end with *, for instance /hooks/*.';
  const steps = readSteps(form.steps, { body: form.body, headers: form.headers });
  if (!steps.ok) problems.steps = steps.problem;
  return problems;
}

/** The rules to keep, or undefined where something typed is wrong. */
export function rulesOf(forms: readonly RuleForm[], pause: ReceiverRules['pause']): ReceiverRules | undefined {
  const rules: ResponseRule[] = [];
  for (const form of forms) {
    const steps = readSteps(form.steps, { body: form.body, headers: form.headers });
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
export function rulesWords(values: ReceiverRules | null): string {
  if (values?.pause === 'refuse') return 'Paused: 503';
  if (values?.pause === 'drop') return 'Paused: 200, dropped';
  const count = values?.rules.filter(({ isOn }) => isOn).length ?? 0;
  return count === 0 ? 'Answers 200' : `${count} ${count === 1 ? 'rule' : 'rules'}`;
}
