// The files in deploy/, and the pages about them, name only settings and metrics that exist; systemd accepts
// its unit.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { projectFolder } from '#scripts/tool.mjs';
import { linkPackages } from '#test/setup/link-packages.ts';
import { noteMissing } from '#test/setup/missing.ts';
import { readInvocation } from '#service/config/config.ts';
import { settings } from '#service/config/settings.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const files = [
  'docs/deploy.md',
  'docs/home.md',
  'docs/operations.md',
  'docs/incidents.md',
  ...globSync('deploy/**/*.*', { cwd: projectFolder }),
].toSorted();
const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

it('there are such files', () => {
  expect(files.length).toBeGreaterThan(8);
});

describe.each(files)('%s', (file) => {
  it('names settings that exist', () => {
    const names = Object.values(settings).map(({ environment }) => environment);
    const known = new Set([...names, ...names.map((name) => `${name}_FILE`)]);
    const used = new Set([...read(file).matchAll(/\bRAINBELL_[A-Z_]+[A-Z](_\d)?\b/g)].map(([name]) => name));
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
  });

  it('names metrics that exist', () => {
    const known = new Set([...read('service/app/metrics.ts').matchAll(/rainbell_\w+/g)].map(([name]) => name));
    const used = [...read(file).matchAll(/\brainbell_[a-z_]+(?<!_)\b/g)].map(([name]) => name);
    const others = new Set([
      'rainbell_owner',
      'rainbell_runtime',
      'rainbell_restored',
      'rainbell_database_connections',
    ]);
    const own = used.map((name) => name.replace(/_(total|count|sum|bucket)$/, '')).filter((name) => !others.has(name));
    expect(own.filter((name) => !known.has(name))).toEqual([]);
  });
});

it('each alert leads to a section of the incident page, and Prometheus loads the file', () => {
  const { groups } = parse(read('deploy/alerts.yml')) as {
    groups: { rules: { alert: string; annotations: { summary: string; runbook: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  const sections = [...read('docs/incidents.md').matchAll(/^### (.+)$/gm)].map(
    ([, title = '']) => `docs/incidents.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  );
  expect(rules.filter(({ annotations }) => !sections.includes(annotations.runbook))).toEqual([]);
  expect(parse(read('deploy/prometheus.yml'))).toMatchObject({ rule_files: ['alerts.yml'] });
});

const hasTool = (name: string) => spawnSync(name, ['--help']).error === undefined;

const missingSystemd = hasTool('systemd-analyze')
  ? undefined
  : noteMissing('systemd-analyze of Debian’s package systemd');

it.skipIf(missingSystemd).each(['rainbell', 'rainbell-home'])('systemd accepts the unit %s', (name) => {
  const folder = temporaryFolder();
  const unit = join(folder, `${name}.service`);
  // systemd looks for the command, which is elsewhere on other machines.
  writeFileSync(unit, read(`deploy/${name}.service`).replace('/opt/rainbell/node_modules/.bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the service at home has one process, one volume, and no secrets', () => {
  const { services, volumes } = parse(read('deploy/home.yaml')) as { services: object; volumes: object };
  expect(services).toMatchObject({ rainbell: { command: '--home', volumes: ['rainbell:/var/lib/rainbell'] } });
  expect([Object.keys(services), Object.keys(volumes)]).toEqual([['rainbell'], ['rainbell']]);
  const unit = read('deploy/rainbell-home.service');
  const flags = /^ExecStart=.* service\/main\.ts (.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  const environment = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]),
  );
  expect(readInvocation(flags, environment)).toMatchObject({ config: { isHome: true, databaseUrl: undefined } });
  expect(unit).not.toContain('Credential');
});

it('the manifests are an application for Kubernetes', () => {
  const manifests = ['service.yaml', 'migrate.yaml'].flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as { kind: string }),
  );
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'Job',
  ]);
});

it('the image has what the commands of the pages need', () => {
  const folder = temporaryFolder();
  const copied = read('deploy/Containerfile').matchAll(/^COPY (?!--from)(.+) (\S+)$/gm);
  for (const [, sources = '', target = ''] of copied) {
    for (const source of sources.split(' ')) {
      const path = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target);
      cpSync(join(projectFolder, source), path, { recursive: true });
    }
  }
  linkPackages(projectFolder, folder);
  mkdirSync(join(folder, 'data', 'service'), { recursive: true });
  const env = { ...process.env, RAINBELL_DATA: join(folder, 'data'), RAINBELL_SOURCES: '' };
  for (const command of ['operator -- keys check', 'service -- --help']) {
    const { status, stderr } = spawnSync(`npm run --silent ${command}`, {
      cwd: folder,
      env,
      shell: true,
      encoding: 'utf8',
    });
    expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' });
  }
});
