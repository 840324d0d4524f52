// Attacks for what only the user of the app may have: its session. As another user of the machine, who sees the arguments of all
// processes and reaches all ports, and as a page on another port of 127.0.0.1, which gets cookies of all ports.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { requestNewAddress } from '#core/hosting/running-app.ts';
import { startHostilePage, tryEverything } from '#test/headless/hostile-page.ts';
import { connectToApp, openAppSession } from '#test/setup/app-client.ts';
import { launchBrowser } from '#test/setup/browser.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { get, upgrade } from './anonymous-requests.ts';
import { startFlood } from './flood.ts';

export type Intrusion = { attack: string; /** What the attacker got. */ run: () => Promise<string[]> };

type App = { origin: string; dataFolder: string; receiver: string };

export function intrusionsOf(app: App): Intrusion[] {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return [
    // Only root can become another user.
    ...(isRoot ? [{ attack: 'as another user of the machine', run: intrudeAsUser }] : []),
    { attack: 'as a page on another port', run: () => intrudeAsPage(app) },
    { attack: '256 sockets without a session beside a page that connects', run: () => crowdOut(app) },
  ];
}

/** What another user tries; prints what it got as a list of JSON. Without our modules, which that user can't read. */
const userScript = String.raw`
  const { readdirSync, readFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const read = (file) => { try { return readFileSync(file, 'latin1'); } catch { return ''; } };
  const ask = (port, lines) => new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n'))).on('error', () => resolve(answer));
    socket.on('data', (data) => (answer += data.toString('latin1'))).on('close', () => resolve(answer));
    setTimeout(() => socket.destroy(), 2000);
  });
  const hello = (origin, message) => new Promise((resolve) => {
    const socket = new WebSocket(origin.replace('http', 'ws') + '/rpc', { headers: { origin } });
    socket.onopen = () => socket.send(JSON.stringify(message));
    socket.onmessage = ({ data }) => socket.close(resolve('a session: ' + data));
    socket.onclose = ({ code }) => resolve(code);
    socket.onerror = () => resolve('an error');
  });
  const findUrl = () => readdirSync('/proc')
    .map((id) => /http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]+/.exec(read('/proc/' + id + '/cmdline'))?.[0])
    .find((found) => found);
  (async () => {
    let url;
    for (const end = Date.now() + 20000; url === undefined && Date.now() < end; ) url = findUrl();
    if (url === undefined) throw new Error('no ticket was in the process list');
    const { origin, port, hash } = new URL(url);
    const ticket = hash.slice('#ticket='.length);
    const got = [];
    for (const message of [{ ticket }, { session: ticket }, { session: '' }]) {
      const answer = await hello(origin, message);
      if (answer !== 4403) got.push(Object.keys(message) + ' got ' + answer);
    }
    // The port for commands and agents is among those on which programs of root listen.
    const rows = read('/proc/net/tcp').split('\n').map((line) => line.trim().split(/\s+/));
    const listening = rows.filter((row) => row[3] === '0A' && row[7] === '0');
    const ports = new Set(listening.map((row) => parseInt(row[1].split(':')[1], 16)));
    const commandTo = (one) => [
      'POST /command/app/newAddress HTTP/1.1', 'Host: 127.0.0.1:' + one, 'Connection: close', 'Content-Length: 11',
      'Content-Type: application/json', 'Authorization: Bearer ' + ticket, '', '{"json":{}}',
    ];
    for (const answer of await Promise.all([...ports].map((one) => ask(one, commandTo(one))))) {
      if (/"json"|ticket=|"session"/.test(answer)) got.push('a port answered ' + answer.slice(0, 200));
    }
    for (const name of ['running.json', 'secrets.key', 'app.sqlite', 'logs/rainbell.log'])
      if (read(process.argv[1] + '/' + name) !== '') got.push(name);
    console.log(JSON.stringify({ url, got }));
  })();`;

/** The app opens a browser, whose arguments hold the ticket. */
async function intrudeAsUser(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-intrusion-'));
  const browser = join(folder, 'browser');
  // Not as one process, so that the arguments stay.
  writeFileSync(browser, '#!/bin/sh\nsleep 20\n:\n', { mode: 0o755 });
  const environment = { DISPLAY: ':99', BROWSER: browser, XDG_CURRENT_DESKTOP: 'X-Generic' };
  const app = await startAppProcess(join(folder, 'data'), environment, ['--json']);
  try {
    const other = spawn(process.execPath, ['-e', userScript, join(folder, 'data')], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
      env: {},
    });
    const [output, errors] = await Promise.all([text(other.stdout), text(other.stderr)]);
    if (output === '') return [`the attack did not happen: ${errors}`];
    const { url, got } = JSON.parse(output) as { url: string; got: string[] };
    // The ticket is not used up, either.
    const own = await openAppSession(url).catch((error: Error) => error);
    if (own instanceof Error) return [...got, `the user's own page did not get in: ${own.message}`];
    own.disconnect();
    return got;
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Asks the running app for a URL with a new ticket. */
export async function newUrl(dataFolder: string): Promise<string> {
  const url = await requestNewAddress(dataFolder, undefined);
  if (url === undefined) throw new Error('The app gives no URL.');
  return url;
}

async function intrudeAsPage({ origin, dataFolder, receiver }: App): Promise<string[]> {
  const hostile = await startHostilePage();
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    const own = await context.newPage();
    await own.goto(await newUrl(dataFolder));
    await own.waitForFunction(() => localStorage.getItem('rainbell-session') !== null);
    const page = await context.newPage();
    await page.goto(`${hostile.url}/`);
    const found = Object.entries(await tryEverything(page, origin)).filter(([, result]) => result !== 'refused');
    const got = found.map(([way, result]) => `${way}: ${result.slice(0, 100)}`);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    if (stored !== '[{},{},""]') got.push(`storage: ${stored}`);
    for (const url of [hostile.url, receiver]) {
      const arriving = page.waitForRequest(`${url}/again`);
      await page.goto(`${url}/again`);
      const cookie = await (await arriving).headerValue('cookie');
      if (cookie !== null) got.push(`${url} got the cookie ${cookie}`);
    }
    const cookies = await context.cookies();
    return [...got, ...hostile.cookies, ...cookies.map(({ name }) => `a cookie ${name} is set`)];
  } finally {
    await browser.close();
    hostile.stop();
  }
}

const newcomers = 40;

/** Sockets that send no session must not push out a page that does. */
async function crowdOut({ origin, dataFolder }: App): Promise<string[]> {
  const first = await openAppSession(await newUrl(dataFolder));
  const { host, port } = new URL(origin);
  const request = get(host, '/rpc', `Origin: ${origin}\r\n${upgrade}`);
  const flood = startFlood({ port: Number(port), connections: 256, requests: [request] });
  const failures: string[] = [];
  try {
    for (let count = 0; count < newcomers; count += 1) {
      // One after another, as a user opens pages.
      await connectToApp(origin, { session: first.session }).then(
        ({ disconnect }) => disconnect(),
        (error: Error) => failures.push(error.message),
      );
    }
  } finally {
    await flood.stop();
    first.disconnect();
  }
  return failures.length === 0 ? [] : [`${failures.length} of ${newcomers} pages were not let in (${failures[0]})`];
}
