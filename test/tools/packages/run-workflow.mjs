// Lints an Arazzo document and runs its workflows: `node run-workflow.mjs FILE INPUT-AS-JSON` prints {problems, workflows, log} as JSON.
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { run } from '@redocly/respect-core';

const [file, input] = process.argv.slice(2);
const config = await createConfig({ extends: ['recommended'] });
const source = readFileSync(file, 'utf8');
const problems = await lintFromString({ source, absoluteRef: `${process.cwd()}/${file}`, config });

const log = [];
const write = (text = '') => void log.push(text);
const logger = {
  info: write,
  warn: write,
  error: write,
  output: write,
  printNewLine: write,
  printSeparator: write,
  indent: (text) => text,
};
const results = await run({
  files: [file],
  input: [input],
  config,
  maxSteps: 200,
  maxFetchTimeout: 10_000,
  executionTimeout: 120_000,
  requestFileLoader: { getFileBody: async (path) => new Blob([readFileSync(path)]) },
  logger,
  fetch,
  skipLint: true,
  noSecretsMasking: true,
});
const workflows = results.flatMap(({ executedWorkflows }) =>
  executedWorkflows.map(({ workflowId, executedSteps }) => ({
    workflowId,
    steps: executedSteps.map(({ stepId, checks = [], response }) => ({
      stepId,
      status: response?.statusCode,
      failed: checks
        .filter(({ status, passed }) => status === 'error' || passed === false)
        .map(({ message, name }) => message ?? name),
    })),
  })),
);
process.stdout.write(
  JSON.stringify({
    problems: problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    hasProblems: results.some(({ hasProblems }) => hasProblems),
    workflows,
    log: log.join(''),
  }),
);
