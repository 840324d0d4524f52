// Who may reach the receiver, and over what: what is stored of the choice, and which authority is used.
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createReceiverAccess } from '#core/receiver/access/receiver-access.ts';
import { makeAuthority } from '#core/receiver/access/receiver-certificate.ts';
import { createMemoryHost } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-21T06:00:00Z');
const first = 'receiver-authority';

function start() {
  const clock = createManualClock(startMs);
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  onTestFinished(database.close);
  const { stored, secrets } = createMemoryHost();
  const keyring = { isBroken: false };
  const open = () =>
    createReceiverAccess({
      db: database.db,
      secrets: {
        ...secrets,
        async read(name) {
          if (keyring.isBroken) throw new Error('no keyring');
          return secrets.read(name);
        },
      },
      clock,
      addresses: () => ['192.0.2.7', '192.0.2.8'],
    });
  return { clock, db: database.db, keyring, open, stored };
}

test('is open to the local network by choice, with a token that stays', async () => {
  const { open, stored } = start();
  const access = open();
  access.choose({ tls: false, lan: true });
  const { tls, lanToken } = await access.forListening();
  expect([tls, lanToken]).toEqual([null, expect.stringMatching(/^[\w-]{24}$/)]);
  expect((await access.describe(4545)).lanUrls).toEqual([
    `http://192.0.2.7:4545/${lanToken}/`,
    `http://192.0.2.8:4545/${lanToken}/`,
  ]);
  expect((await access.describe(null)).lanUrls).toEqual([]);
  const later = open();
  expect([later.isLan(), later.isTls(), (await later.forListening()).lanToken]).toEqual([true, false, lanToken]);
  later.choose({ tls: false, lan: false });
  expect(await later.forListening()).toEqual({ tls: null, lanToken: null });
  later.choose({ tls: false, lan: true });
  expect((await later.forListening()).lanToken).toBe(lanToken);
  expect(stored.size).toBe(0);
});

test.each(['{', '{"tls":true,"lan":true,"token":"short"}'])('is closed if its choice is %s', async (json) => {
  const { db, open } = start();
  db.prepare("INSERT INTO documents (name, json) VALUES ('receiver access', ?)").run(json);
  expect([open().isTls(), open().isLan()]).toEqual([false, false]);
});

test('has a certificate for the addresses in the local network only while that may connect', async () => {
  const access = start().open();
  const covered = async (lan: boolean) => {
    access.choose({ tls: true, lan });
    const { tls } = await access.forListening();
    const leaf = new X509Certificate(tls?.cert ?? '');
    const authority = new X509Certificate(access.authorityPem() ?? '');
    expect(leaf.verify(authority.publicKey)).toBe(true);
    return ['127.0.0.1', '192.0.2.7', '192.0.2.8', '192.0.2.9'].filter((address) => leaf.checkIP(address));
  };
  expect([await covered(false), await covered(true)]).toEqual([['127.0.0.1'], ['127.0.0.1', '192.0.2.7', '192.0.2.8']]);
  const { tls, lan, lanUrls, authority } = await access.describe(4545);
  expect([tls, lan, lanUrls.map((url) => url.slice(0, 8))]).toEqual([true, true, ['https://', 'https://']]);
  expect(authority).toMatchObject({
    pem: access.authorityPem(),
    expiresAt: new Date(startMs + 5 * 365 * dayMs).toISOString(),
  });
});

test('keeps its authority, and makes another one 90 days before its end', async () => {
  const { clock, open, stored } = start();
  const pemOf = async (access = open()) => {
    access.choose({ tls: true, lan: false });
    await access.forListening();
    return access.authorityPem();
  };
  const pem = await pemOf();
  expect([...stored.keys()]).toEqual([first]);
  expect(stored.get(first)).toContain('PRIVATE KEY');
  clock.advance((5 * 365 - 90) * dayMs - 1000);
  expect(await pemOf()).toBe(pem);
  clock.advance(1000);
  const next = await pemOf();
  expect(next).not.toBe(pem);
  expect(await pemOf()).toBe(next);
  expect([...stored.keys()]).toEqual([first]);
});

test('makes another authority if the stored one is damaged, or is not valid yet', async () => {
  const { clock, open, stored } = start();
  for (const damaged of ['x', '{"key":"k"}', JSON.stringify(await makeAuthority(startMs + dayMs + 1000))]) {
    stored.set(first, damaged);
    const access = open();
    access.choose({ tls: true, lan: false });
    await access.forListening();
    expect(stored.get(first)).not.toBe(damaged);
  }
  stored.set(first, JSON.stringify(await makeAuthority(clock.now() + dayMs)));
  const before = stored.get(first);
  await open().describe(1);
  expect(stored.get(first)).toBe(before);
});

test('tries again after a secret could not be read', async () => {
  const { keyring, open } = start();
  const access = open();
  access.choose({ tls: true, lan: false });
  keyring.isBroken = true;
  await expect(access.forListening()).rejects.toThrow('no keyring');
  keyring.isBroken = false;
  expect((await access.forListening()).tls?.cert).toContain('BEGIN CERTIFICATE');
});
