// Starts `service/main.ts` as a process of its own, the way `npm run service` does, and reads the line it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { type ServiceIntroduction, serviceIntroductionSchema } from '#contract/service-api/sandbox.ts';
import { runEntry } from '#test/setup/run-entry.ts';

const entry = fileURLToPath(new URL('../../service/main.ts', import.meta.url));

export type ServiceProcess = {
  introduction: ServiceIntroduction;
  child: ChildProcess;
  stop(): Promise<number | null>;
  /** What it has written to stderr. */
  complaints(): string;
};

/** Environment of a service that must not reach out: every provider is on a port without a listener. */
export const unreachableProviders = {
  RAINBELL_OPEN_METEO_URL: 'http://127.0.0.1:9',
  RAINBELL_MET_NORWAY_URL: 'http://127.0.0.1:9',
  RAINBELL_METAR_URL: 'http://127.0.0.1:9',
};

/** The process, without waiting for it. It takes a free port unless the flags name one. */
export function spawnService(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [...runEntry, entry, '--port', '0', '--json', ...flags], {
    env: { ...process.env, ...unreachableProviders, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the service until it ends, which it should do because it cannot start, or because it only migrates. */
export async function runServiceProcess(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawnService(flags, environment);
  let [output, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, complaints };
}

export async function startServiceProcess(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const child = spawnService(flags, environment);
  const { announced, ...process } = await readStart(child, 'SIGTERM');
  return { introduction: serviceIntroductionSchema.parse(announced), child, ...process };
}

/** Reads the JSON that a process prints first. `stop` ends it by that signal. */
export async function readStart(child: ReturnType<typeof spawnService>, signal: NodeJS.Signals) {
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  if (!first) throw new Error(`The process ended before it was ready. It said:\n${complaints}`);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return { announced: JSON.parse(String(first[0])) as unknown, stop, complaints: () => complaints };
}

/** A token as any client of the interface asks for it (docs/interface.md §4.2, §5.3). */
export async function fetchAccessToken(
  { baseUrl, clientId, clientSecret }: Pick<ServiceIntroduction, 'baseUrl' | 'clientId' | 'clientSecret'>,
  form = 'grant_type=client_credentials',
): Promise<string> {
  const answer = await fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: {
      // A later request must not find an idle connection that the service closes at this moment.
      connection: 'close',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/www-form-urlencoded',
    },
    body: form,
  });
  if (answer.status !== 200) throw new Error(`POST /token/ answered ${answer.status}: ${await answer.text()}`);
  const body = (await answer.json()) as { access_token: string };
  return body.access_token;
}
