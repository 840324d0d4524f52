// scripts/run.cjs runs what `npm run build` left while no source is newer, and otherwise the sources.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const hosts = ['service_main', 'core_receiver_server_receiver_worker'].map((name) => `host/${name}.cjs`);
const built = ['electron/main.js', 'electron/preload.cjs', 'renderer/index.html', ...hosts];
const [before, after] = [1_000, 2_000];

/** A project with the real scripts, whose service says which of the two runs, and was built. */
function builtProject() {
  const project = temporaryFolder();
  cpSync(join(projectFolder, 'scripts'), join(project, 'scripts'), { recursive: true });
  const write = (file: string, text: string, changedAt: number) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
    utimesSync(join(project, file), changedAt, changedAt);
  };
  write('package.json', '{"type":"module"}', before);
  write(
    'service/main.ts',
    `const name: string = 'source'; console.log(name, process.argv.slice(2).join(' '));`,
    before,
  );
  utimesSync(join(project, 'service'), before, before);
  for (const name of ['help-pages', 'host-bundle', 'lean-contract'])
    utimesSync(join(project, `scripts/${name}.mjs`), before, before);
  for (const file of built) write(`dist/${file}`, `console.log('bundle', process.argv.slice(2).join(' '));`, after);
  const run = (environment: Record<string, string> = {}) => {
    const args = ['scripts/run.cjs', 'service/main.ts', '--port', '0'];
    return execFileSync(process.execPath, args, {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
  };
  return { project, write, run };
}

it('runs the bundle with the arguments, again from what Node compiled', () => {
  const { run } = builtProject();
  expect([run(), run()]).toEqual(['bundle --port 0\n', 'bundle --port 0\n']);
});

it('runs the source after a change, and until everything is built', () => {
  const { project, write, run } = builtProject();
  write('service/part.ts', '', after + 1);
  expect(run()).toBe('source --port 0\n');
  rmSync(join(project, 'service/part.ts'));
  utimesSync(join(project, 'service'), before, before);
  expect(run()).toBe('bundle --port 0\n');
  rmSync(join(project, 'dist/renderer'), { recursive: true });
  expect(run()).toBe('source --port 0\n');
});

it('runs the source with RAINBELL_SOURCES=1', () => {
  expect(builtProject().run({ RAINBELL_SOURCES: '1' })).toBe('source --port 0\n');
});
