// `rainbell tunnel`: starts a tunnel program that is installed, and keeps its URL as the receiver's public URL while it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppFailure, AppLost } from '@rainbell/core';
import { pause } from '@rainbell/shared/node';
import { readDataFolder } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { type Arrivals, openArrivals } from '../session/arrivals.ts';

type Program = {
  name: string;
  /** `target`: the receiver's URL. Its own certificate is not verified, because no one is between them on this computer. */
  args: (target: string) => string[];
  /** Finds the URL in the output by its surroundings: the host may be the user's own. */
  url: RegExp;
  install: string;
};

/** The first that is installed is used, so the one that needs no account is first. */
const programs: readonly Program[] = [
  {
    name: 'cloudflared',
    args: (target) => ['tunnel', '--no-tls-verify', '--url', target],
    // In a box (2022.11 to 2024.12). Before it is connected, resolvers might remember for minutes that the host does not exist.
    url: /\|\s+(https?:\/\/\S+)\s+\|[^]*Registered tunnel connection/,
    install: 'developers.cloudflare.com/cloudflare-one/connections/connect-networks/downloads, without an account',
  },
  {
    name: 'ngrok',
    args: (target) => ['http', target, '--log', 'stdout', '--log-format', 'json'],
    // 3.39 writes the members in the order of time; earlier ones sort them. Both have the URL after the message.
    url: /"msg":"started tunnel".*"url":"(https?:[^"]+)"/,
    install: 'ngrok.com/download, and run ngrok config add-authtoken',
  },
  {
    name: 'tailscale',
    args: (target) => ['funnel', target.replace(/^https:/, 'https+insecure:')],
    // In the foreground, since 1.52.
    url: /Available on the internet:\s+(https?:\/\/\S+)\s/,
    install: 'tailscale.com/download, run tailscale up, and allow Funnel',
  },
];
const names = programs.map(({ name }) => name);

/** Until its URL works; cloudflared: "it may take some time to be reachable". */
const openingMs = 60_000;
const testEveryMs = 60_000;

export const tunnel: Command = {
  name: 'tunnel',
  usage: `[--with ${names.join('|')}] [--data DIR]`,
  summary: 'Open a tunnel to the receiver, and use its URL for monitors until Ctrl+C',
  details: [
    `Starts cloudflared, ngrok, or tailscale, whichever is installed, prints its URL once a test request to it has arrived here, and saves\n` +
      'it in place of the app’s public tunnel URL. Another test follows each minute. At the end, the URL is removed.',
  ],
  options: {
    with: { value: 'PROGRAM', words: `${names.join(', ')} (default: the first of them that is installed)` },
    data: commonOptions.data,
  },
  examples: ['tunnel', 'tunnel --with tailscale'],
  async run(given, context) {
    const wanted = given.choice('with', names);
    const chosen = programs.filter(({ name }) => wanted === undefined || name === wanted);
    const { output, signal } = context;
    const dataFolder = readDataFolder(given);
    const arrivals = await openArrivals({ dataFolder, port: undefined, context, tell: output.info });
    try {
      const { baseUrl, notice } = (await arrivals.client().app.status()).receiver;
      if (baseUrl === null) throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver is not listening.');
      const running = await start(chosen, baseUrl, context);
      try {
        await keepTested(running, arrivals, context);
        if (!signal.aborted) throw new AppFailure('NETWORK', `The tunnel is broken: ${running.lastWords()}`);
      } finally {
        await running.end();
      }
    } finally {
      await arrivals.close();
    }
    return exitCodes.done;
  },
};

type Running = Awaited<ReturnType<typeof start>>;

/** Starts the first that is installed. Throws AppFailure UNAVAILABLE. */
async function start(chosen: readonly Program[], target: string, { environment, output }: CommandContext) {
  for (const { name, args, url } of chosen) {
    const child = spawn(name, args(target), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const ending = new AbortController();
    child.on('close', () => ending.abort()).on('error', () => {});
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (said = (said + part).slice(-16_384)));
    // Each is tried after the one before.
    if (!(await once(child, 'spawn').catch(() => undefined))) continue;
    output.info(`Opening a tunnel with ${name}. It takes up to a minute.`);
    return {
      ended: ending.signal,
      findUrl: () => url.exec(said)?.[1]?.replace(/\/$/, ''),
      lastWords() {
        // ngrok repeats a token that it does not accept.
        const words = said.trim().replaceAll(/authtoken: \S+/gi, 'authtoken: …');
        return `${name} ${ending.signal.aborted ? 'ended' : 'opened none in 60 s'}. It printed: ${words.slice(-600).replaceAll(/\s+/g, ' ') || 'nothing'}`;
      },
      async end() {
        child.kill();
        if (!ending.signal.aborted) await once(ending.signal, 'abort');
      },
    };
  }
  const remedies = chosen.map(({ name, install }) => `${name} (${install})`).join(' or ');
  throw new AppFailure('UNAVAILABLE', `No tunnel program was found. Install ${remedies}.`);
}

/** Says when the tunnel breaks and when it works again. Throws AppFailure NETWORK if it never works. */
async function keepTested(running: Running, arrivals: Arrivals, { clock, output, signal }: CommandContext) {
  const over = AbortSignal.any([signal, running.ended]);
  const test = async (base: string | undefined) => {
    if (base === undefined) throw new AppFailure('NETWORK', `There is no tunnel: ${running.lastWords()}`);
    await arrivals.read(({ app }) => app.changePublicBase({ base }, { signal: over }));
  };
  const since = clock.elapsed();
  let url: string | undefined;
  /** Undefined before the first test that succeeds. */
  let works: boolean | undefined;
  try {
    // Each test follows the one before.
    while (!over.aborted) {
      url ??= running.findUrl();
      const failure = await test(url).catch((error: unknown) => error);
      if (over.aborted) return;
      if (failure === undefined) {
        if (works === undefined) output.print(url ?? '');
        if (!works) output.info(`Requests to ${url} arrive at the receiver.`);
        works = true;
      } else {
        const isTooLate = works === undefined && clock.elapsed() - since > openingMs;
        if (!(failure instanceof AppFailure) || isTooLate) throw failure;
        if (works) output.info(`The tunnel is broken: ${failure.message}`);
        works &&= false;
      }
      await pause(clock, works === undefined ? 1000 : testEveryMs, over);
    }
  } finally {
    // An app that has ended took its receiver with it.
    const removed = works === undefined ? undefined : arrivals.client().app.changePublicBase({ base: null });
    await removed?.catch((error: unknown) => {
      if (!(error instanceof AppLost)) throw error;
    });
  }
}
