// Why the service or a command failed, as one text for the user.
import { expect, test } from 'vitest';
import { describeFailure, StartError } from '#service/errors/start-error.ts';

const fullDisk = Object.assign(new Error('write'), { code: 'ENOSPC' });

test.each([
  [new StartError('settings', 'RAINBELL_PORT is wrong.'), 'The service failed', 'RAINBELL_PORT is wrong.'],
  [new StartError('settings', 'RAINBELL_PORT is wrong.'), undefined, 'RAINBELL_PORT is wrong.'],
  [fullDisk, 'The service failed', 'The service failed: the disk is full. Free some space on that disk.'],
  [fullDisk, undefined, 'the disk is full. Free some space on that disk.'],
  [new Error('boom'), 'The service failed', 'The service failed: boom'],
  [new Error('boom'), undefined, 'boom'],
  ['boom', undefined, 'boom'],
])('a failure (%s), introduced by “%s”, is described as “%s”', (error, what, described) => {
  expect(describeFailure(error, what)).toBe(described);
});
