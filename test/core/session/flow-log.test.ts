import { expect, it } from 'vitest';
import { createFlowLog } from '#core/session/flow-log.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

it('keeps the deviations of a step out of all other steps', () => {
  const log = createFlowLog({ clock: createManualClock(), onChanged: () => {} });
  const profile = { id: 'c-1', name: 'Beta' };
  const deviation = { section: 'RFC 6749 §5.1', message: '“expires_in” is missing.' };
  for (const title of ['first', 'second']) {
    const flow = log.start(profile, 'refresh');
    flow.step({ kind: 'answer', title });
    flow.deviations([deviation]);
    flow.end('done', 'Refreshed.');
  }
  const steps = log.list().flatMap((flow) => flow.steps);
  expect(steps.map(({ title, deviations }) => [title, deviations.length])).toEqual([
    ['second', 1],
    ['Refreshed.', 0],
    ['first', 1],
    ['Refreshed.', 0],
  ]);
});
