// Fails a test whose service sent a response that openapi.json does not describe.
import { afterEach } from 'vitest';
import { takeResponses } from './service-responses.ts';

afterEach(async () => {
  const responses = takeResponses();
  if (responses.length === 0) return;
  // Loaded with the first response, because most files start no service.
  const { findProblem } = await import('./described-responses.ts');
  const problems = responses.flatMap((response) => findProblem(response) ?? []);
  if (problems.length > 0) throw new Error(`openapi.json describes otherwise:\n${[...new Set(problems)].join('\n')}`);
});
