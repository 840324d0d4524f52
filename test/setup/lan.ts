// A LAN of two computers, as two network namespaces with a cable between them: `service` and `peer`. Nothing of it is reachable from
// this computer's own network, and none of it reaches out. Cleans up after the test.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { noteMissing } from './missing.ts';

/** What is missing, or undefined. */
export function missingLan(): string | undefined {
  if (spawnSync('ip', ['-V']).error) return noteMissing('iproute2');
  const probe = `rain${process.pid}probe`;
  const isAllowed =
    spawnSync('ip', ['netns', 'add', probe]).status === 0 &&
    spawnSync('ip', ['-n', probe, 'link', 'add', 'type', 'veth']).status === 0;
  spawnSync('ip', ['netns', 'del', probe]);
  return isAllowed ? undefined : noteMissing('the right to make network namespaces', false);
}

type Received = { path: string; headers: Record<string, string | undefined>; body: string };
type Answer = { status: number; headers: Record<string, string>; text: string };
type Request = { method?: string; headers?: Record<string, string>; body?: string };
export type Peer = {
  /** From the peer's computer; a redirect is not followed. */
  fetch(url: string, request?: Request): Promise<Answer>;
  /** What its server on port 8123 of all its addresses received. */
  received: readonly Received[];
};

/** `addresses`: of the peer, each with the prefix of a network in which the service has one too, or /32 within another's. `names`: what the service's hosts file says. */
export async function startLan(addresses: readonly string[], names: Readonly<Record<string, string>>) {
  const id = `rain${process.pid}x${Math.trunc(performance.now() * 1000)}`.slice(-13);
  const spaces = { service: `${id}s`, peer: `${id}p` };
  const ip = (command: string) => void execFileSync('ip', command.split(' '));
  onTestFinished(() => {
    for (const space of Object.values(spaces)) {
      spawnSync('ip', ['netns', 'del', space]);
      rmSync(`/etc/netns/${space}`, { recursive: true, force: true });
    }
  });
  mkdirSync(`/etc/netns/${spaces.service}`, { recursive: true });
  const hosts = Object.entries({ localhost: '127.0.0.1', ...names }).map(([name, address]) => `${address} ${name}\n`);
  writeFileSync(`/etc/netns/${spaces.service}/hosts`, hosts.join(''));
  writeFileSync(`/etc/netns/${spaces.service}/resolv.conf`, 'nameserver 127.0.0.1\n');
  for (const space of Object.values(spaces)) ip(`netns add ${space}`);
  ip(`link add ${id}0 netns ${spaces.service} type veth peer name ${id}1 netns ${spaces.peer}`);
  for (const [space, device] of [
    [spaces.service, `${id}0`],
    [spaces.peer, `${id}1`],
  ]) {
    ip(`-n ${space} link set lo up`);
    ip(`-n ${space} link set ${device} up`);
  }
  for (const address of addresses) {
    // IPv6 would first look for duplicates of it.
    const flags = address.includes(':') ? ' nodad' : '';
    ip(`-n ${spaces.peer} addr add ${address} dev ${id}1${flags}`);
    const isOnLink = address.endsWith('/32');
    if (!isOnLink) ip(`-n ${spaces.service} addr add ${neighbor(address)} dev ${id}0${flags}`);
  }
  return {
    /** Runs on the service's computer. */
    spawnService: (command: string, args: readonly string[], environment: Readonly<Record<string, string>>) =>
      spawn('ip', ['netns', 'exec', spaces.service, command, ...args], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    peer: await startPeer(spaces.peer),
  };
}

/** `192.168.77.1/24` → `192.168.77.2/24`, with one digit more at the end. */
function neighbor(address: string): string {
  return address.replace('/', '2/');
}

async function startPeer(space: string): Promise<Peer> {
  const script = fileURLToPath(new URL('lan-peer.ts', import.meta.url));
  const child: ChildProcess = spawn('ip', ['netns', 'exec', space, process.execPath, script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const received: Received[] = [];
  const waiting = new Map<number, (answer: Answer | string) => void>();
  child.on('message', (message: { id?: number; answer?: Answer | string; received?: Received }) => {
    if (message.received) received.push(message.received);
    else if (message.id !== undefined && message.answer !== undefined) waiting.get(message.id)?.(message.answer);
  });
  await once(child, 'message');
  let last = 0;
  return {
    received,
    async fetch(url, request = {}) {
      const id = (last += 1);
      const answer = await new Promise<Answer | string>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, url, request });
      });
      if (typeof answer === 'string') throw new Error(`${url}: ${answer}`);
      return answer;
    },
  };
}
