// Whether this machine can run the handler in Ruby. CI requires it (.ci/run).
import { spawnSync } from 'node:child_process';

export function hasRuby(): boolean {
  const found = spawnSync('ruby', ['-e', 'require "webrick"']).status === 0;
  if (!found && process.env['RAINBELL_REQUIRE_RUBY'] === '1') {
    throw new Error('Ruby with WEBrick is missing. Install the Debian packages ruby and ruby-webrick.');
  }
  return found;
}
