// A process with vitest that stays warm: it runs the tests that it is asked to run, once per mutant. Started with a project's
// folder; the file `active` beside the sources says which mutant is on.
import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';

export type WantedFile = { project: string; file: string; tests?: string[] };
export type SessionRequest = { files: WantedFile[] };
export type TestOutcome = { id: string; name: string; state: string; ms: number };
export type FileOutcome = { project: string; file: string; errors: string[]; tests: TestOutcome[] };
export type SessionAnswer = { files: FileOutcome[]; errors: string[] };

const [mode] = process.argv.slice(2);

class GivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

let vitest: Vitest | undefined;

async function run({ files }: SessionRequest): Promise<SessionAnswer> {
  vitest ??= await createVitest({
    watch: false,
    config: 'mutation.config.ts',
    reporters: [{}],
    bail: mode === 'record' ? 0 : 1,
    maxWorkers: 1,
    silent: true,
    sequence: { sequencer: GivenOrder },
  });
  const all = await vitest.globTestSpecifications();
  const wanted = files.flatMap(({ project, file, tests }) => {
    const found = all.filter((spec) => spec.moduleId === file && (project === '' || spec.project.name === project));
    return found.map((spec) =>
      spec.project.createSpecification(spec.moduleId, tests === undefined ? undefined : { testIds: tests }),
    );
  });
  // Those of the run before would count for this one.
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  // Vitest also returns what earlier runs left.
  const isWanted = (module: TestModule) =>
    wanted.some((spec) => spec.moduleId === module.moduleId && spec.project.name === module.project.name);
  const outcomes = testModules.filter(isWanted).map(outcomeOf);
  return { files: outcomes, errors: unhandledErrors.map((error) => describe(error)) };
}

function outcomeOf(module: TestModule): FileOutcome {
  const suites = [...module.children.allSuites()];
  return {
    project: module.project.name,
    file: module.moduleId,
    errors: [...module.errors(), ...suites.flatMap((suite) => suite.errors())].map((error) => describe(error)),
    tests: [...module.children.allTests()].map((test) => ({
      id: test.id,
      name: test.fullName,
      state: test.result().state,
      ms: test.diagnostic()?.duration ?? 0,
    })),
  };
}

const describe = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

process.on('message', (request: SessionRequest) => {
  run(request).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ files: [], errors: [`session: ${describe(error)}`] } satisfies SessionAnswer),
  );
});
process.on('disconnect', () => process.exit(0));
