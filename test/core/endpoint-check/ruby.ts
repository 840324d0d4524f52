// Whether this machine can run the handler in Ruby.
import { spawnSync } from 'node:child_process';
import { noteMissing } from '#test/setup/missing.ts';

export function hasRuby(): boolean {
  const found = spawnSync('ruby', ['-e', 'require "webrick"']).status === 0;
  if (!found) noteMissing('ruby and ruby-webrick');
  return found;
}
