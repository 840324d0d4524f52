// Debian's Django OAuth Toolkit and FastAPI, in one process of Python for all tests of a file (python_servers.py).
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { noteMissing } from '#test/setup/missing.ts';

/** Debian's own Python, whose packages these are. */
const python = '/usr/bin/python3';

export type PythonServers = { django: string; fastapi: string };

/** As python_servers.py has them. */
export const pythonAccount = { username: 'ada', password: 'correct horse' };
export const djangoSecret = 'dj secret+/&=%';
export const djangoRedirectUri = 'http://127.0.0.1/callback';

export function hasPythonServers(): boolean {
  try {
    execFileSync(python, ['-c', 'import oauth2_provider, fastapi, multipart, uvicorn'], { stdio: 'ignore' });
    return true;
  } catch {
    noteMissing('python3-django-oauth-toolkit, python3-fastapi, python3-multipart, or python3-uvicorn');
    return false;
  }
}

const portsSchema = z.object({ django: z.number(), fastapi: z.number() });

/** Starts both before the tests of the suite and ends them afterwards; call it in `describe`. */
export function usePythonServers(): PythonServers {
  const servers: PythonServers = { django: '', fastapi: '' };
  const script = fileURLToPath(new URL('python_servers.py', import.meta.url));
  let end: () => Promise<void> = async () => {};
  beforeAll(async () => {
    const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    end = async () => {
      child.stdin.end();
      await ended;
    };
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`The Python servers ended with ${code}.`)));
    });
    const { django, fastapi } = portsSchema.parse(JSON.parse(line));
    servers.django = `http://127.0.0.1:${django}`;
    servers.fastapi = `http://127.0.0.1:${fastapi}`;
  });
  afterAll(() => end());
  return servers;
}
