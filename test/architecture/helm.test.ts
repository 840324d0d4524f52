// The Helm chart, rendered by Go's templates with the functions that Helm adds.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { projectFolder } from '#scripts/tool.mjs';
import { settings } from '#service/config/settings.ts';

type Values = Record<string, unknown>;
type Manifest = { kind: string; metadata: { name: string; annotations?: Values }; [key: string]: unknown };
type Pod = { spec: { template: { spec: Record<string, unknown> & { containers: Record<string, unknown>[] } } } };

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const chart = parse(read('deploy/helm/Chart.yaml')) as { name: string; version: string; appVersion: string };
const defaults = parse(read('deploy/helm/values.yaml')) as Values;
const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/helm/values.schema.json')) as object);

const hasGo = spawnSync('go', ['version']).error === undefined;
if (!hasGo && process.env['RAINBELL_REQUIRE_GO']) throw new Error('Go is missing: apt-get install golang-go');

function render(values: Values) {
  const templates = Object.fromEntries(
    globSync('deploy/helm/templates/*', { cwd: projectFolder }).map((file) => [
      `rainbell/templates/${basename(file)}`,
      read(file),
    ]),
  );
  const data = {
    Values: { ...defaults, ...values },
    Release: { Name: 'weather', Namespace: 'default', Service: 'Helm' },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  };
  return spawnSync('go', ['run', 'test/tools/helm-template/main.go'], {
    cwd: projectFolder,
    encoding: 'utf8',
    input: JSON.stringify({ templates, data }),
    // Debian's packages of Go libraries.
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' },
  });
}

function manifestsOf(values: Values): Manifest[] {
  const { status, stdout, stderr } = render(values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const files = JSON.parse(stdout) as Record<string, string>;
  return Object.entries(files)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}

const named = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted();

it('has the version of the project', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});

it('accepts its own values, and refuses a fleet without a role and an unknown one', () => {
  isValid(defaults);
  expect(isValid.errors).toBeNull();
  const process = { replicas: 1 };
  expect(isValid({ roles: { api: process, sweeper: process, sender: process } })).toBe(true);
  expect(isValid({ roles: { api: process, sender: process } })).toBe(false);
  expect(isValid({ roles: { all: process, janitor: process } })).toBe(false);
  expect(isValid({ ingress: { enabled: true, host: '' } })).toBe(false);
  expect(isValid({ replicas: 3 })).toBe(false);
});

it.skipIf(!hasGo)('renders two processes that run without root, and a migration before them', () => {
  const manifests = manifestsOf({ publicUrl: 'https://rainbell.example', settings: { RAINBELL_LOG_LEVEL: 'debug' } });
  expect(named(manifests)).toEqual([
    'ConfigMap weather',
    'ConfigMap weather-migrate',
    'Deployment weather-all',
    'Job weather-migrate',
    'PodDisruptionBudget weather',
    'Service weather',
  ]);
  const config = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'weather');
  const known = new Set(Object.values(settings).flatMap(({ environment }) => [environment, `${environment}_FILE`]));
  expect(Object.keys(config?.['data'] as Values).filter((name) => !known.has(name))).toEqual([]);
  const job = manifests.find(({ kind }) => kind === 'Job');
  expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  // The same pods as in the manifests for kustomize, which name the image and the settings by other ways.
  const kustomize = parseAllDocuments(
    `${read('deploy/kubernetes/service.yaml')}\n---\n${read('deploy/kubernetes/migrate.yaml')}`,
  ).map((document) => document.toJS() as Manifest);
  for (const kind of ['Deployment', 'Job']) {
    const podOf = (all: readonly Manifest[]) =>
      (all.find((one) => one.kind === kind) as unknown as Pod).spec.template.spec;
    const { containers, nodeSelector, tolerations, affinity, ...pod } = podOf(manifests);
    const { containers: others, ...other } = podOf(kustomize);
    expect(pod).toEqual(other);
    expect([nodeSelector, tolerations, affinity]).toEqual(
      kind === 'Job' ? [undefined, undefined, undefined] : [{}, [], {}],
    );
    const { image, imagePullPolicy, env, envFrom, ...container } = containers[0] ?? {};
    const { image: _image, envFrom: _settings, ...otherContainer } = others[0] ?? {};
    expect(container).toEqual(otherContainer);
    expect({ image, imagePullPolicy }).toEqual({
      image: `registry.example/rainbell-service:${chart.appVersion}`,
      imagePullPolicy: 'IfNotPresent',
    });
    expect(env).toEqual(kind === 'Job' ? undefined : [{ name: 'RAINBELL_ROLE', value: 'all' }]);
    expect(envFrom).toHaveLength(1);
  }
});

it.skipIf(!hasGo)('renders a fleet by roles behind an ingress, and sends requests only to the api', () => {
  const manifests = manifestsOf({
    publicUrl: 'https://rainbell.example',
    roles: { api: { replicas: 3 }, sweeper: { replicas: 1 }, sender: { replicas: 2 } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: {},
      host: 'rainbell.example',
      tlsSecret: 'rainbell-tls',
    },
    metrics: { enabled: false, port: 9464 },
  });
  expect(named(manifests).filter((name) => /^(Deployment|Ingress)/.test(name))).toEqual([
    'Deployment weather-api',
    'Deployment weather-sender',
    'Deployment weather-sweeper',
    'Ingress weather',
  ]);
  const service = manifests.find(({ kind }) => kind === 'Service') as unknown as { spec: { selector: Values } };
  expect(service.spec.selector['app.kubernetes.io/component']).toBe('api');
  expect(JSON.stringify(manifests)).not.toMatch(/prometheus|9464/);
});

it.skipIf(!hasGo)('says which value is missing', () => {
  const { status, stderr } = render({});
  expect(status).toBe(1);
  expect(stderr).toContain('Set publicUrl to the address that clients use');
});
