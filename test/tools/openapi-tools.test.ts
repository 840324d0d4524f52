// openapi.json in the hands of other people's tools: two linters, two generators whose clients compile and run against the
// real service, and a runner of the Arazzo workflow in docs. The tools are installed at first use (install-listed.ts); without them the test fails.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { startWeatherService } from '#test/weather/weather-harness.ts';
import { installTools } from './install-listed.ts';

let tools: string;

beforeAll(async () => {
  tools = await installTools();
});

async function startWithDocument() {
  const service = await startWeatherService({ provider: 'simulation' }, systemClock);
  // Below the tools, so that what is generated finds their packages.
  const folder = mkdtempSync(join(tools, 'run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = await (await fetch(`${service.baseUrl}/v2/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), text);
  const run = async (script: string, args: readonly string[], environment: Record<string, string> = {}) => {
    const env = { ...process.env, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { cwd: folder, env });
    return stdout;
  };
  return { service, folder, run, tool: (path: string) => join(tools, 'node_modules', path) };
}

type Finding = { rule: string; severity: string; message: string; at: string };

/** The interface has these slashes, and every path works without them, too. */
const slashRules = ['no-path-trailing-slash', 'path-keys-no-trailing-slash'];

test('redocly and spectral find nothing but the trailing slashes of the interface', async () => {
  const { run } = await startWithDocument();
  const found = JSON.parse(await run(join(tools, 'check-document.mjs'), ['openapi.json'])) as Record<string, Finding[]>;
  for (const linter of ['redocly', 'spectral']) {
    const findings = found[linter] ?? [];
    expect(findings.filter(({ rule }) => slashRules.includes(rule)).length).toBeGreaterThan(10);
    expect(findings.filter(({ rule }) => !slashRules.includes(rule))).toEqual([]);
  }
});

test('clients of openapi-typescript and oazapfts compile, and call the service', async () => {
  const { service, folder, run, tool } = await startWithDocument();
  copyFileSync(join(tools, 'use-clients.ts.txt'), join(folder, 'use-clients.ts'));
  copyFileSync(join(tools, 'client-tsconfig.json'), join(folder, 'tsconfig.json'));
  await Promise.all([
    run(tool('openapi-typescript/bin/cli.js'), ['openapi.json', '-o', 'paths.d.ts']),
    run(tool('oazapfts/dist/cli.js'), ['openapi.json', 'functions.ts']),
  ]);
  await run(tool('typescript/bin/tsc'), ['-p', '.']);
  const token = service.authorization.authorization.replace('Bearer ', '');
  const printed = await run('out/use-clients.js', [], { BASE_URL: service.baseUrl, ACCESS_TOKEN: token });
  expect(JSON.parse(printed)).toEqual({
    openapiTypescript: { id: 'precipitation_1', points: 73, error: 'not_found' },
    oazapfts: {
      id: 'precipitation_2',
      cause: expect.stringMatching(/^(not_checked_yet|dry|event_due|sending)$/),
      points: 73,
    },
  });
});

test('redocly runs docs/first-callback.arazzo.json: token, monitor, rain, callback', async () => {
  const { service, run, folder } = await startWithDocument();
  const endpoint = await startCallbackEndpoint();
  copyFileSync(
    new URL('../../docs/first-callback.arazzo.json', import.meta.url),
    join(folder, 'first-callback.arazzo.json'),
  );
  const { clientId, clientSecret } = service.introduction;
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const input = JSON.stringify({ credentials, callbackUri: endpoint.url });
  const printed = await run(join(tools, 'run-workflow.mjs'), ['first-callback.arazzo.json', input]);
  const { problems, hasProblems, workflows, log } = JSON.parse(printed) as {
    problems: string[];
    hasProblems: boolean;
    workflows: { workflowId: string; steps: { stepId: string; status: number }[] }[];
    log: string;
  };
  expect(problems).toEqual([]);
  const [workflow] = workflows;
  const last = new Map(workflow?.steps.map(({ stepId, status }) => [stepId, status]));
  expect({ steps: [...last], log }).toMatchObject({
    steps: [
      ['getToken', 200],
      ['createMonitor', 201],
      ['makeRain', 200],
      ['waitForCallback', 200],
      ['deleteMonitor', 204],
    ],
  });
  expect({ hasProblems, log }).toMatchObject({ hasProblems: false });
  expect(JSON.parse(endpoint.received[0]?.body ?? '')).toMatchObject({ monitor_type: 'precipitation' });
});
