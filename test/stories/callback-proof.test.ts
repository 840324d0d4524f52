// A callback as an HTML page: prepared in the app, saved, and opened from disk in a browser that has no network.
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '#test/setup/accessibility.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runRainbell } from '#test/command-line/rainbell-process.ts';
import { openScreens } from './screen-harness.ts';

const senderAddress = '127.0.0.9';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it('exports a callback as a page that opens offline and verifies its signatures', async () => {
  const screens = await openScreens({ hash: '#/callbacks' });
  const { page } = screens;
  const baseUrl = await screens.receiverUrl();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const time = String(Math.floor(Date.now() / 1000));
  const body = '{"id":"precipitation_7","text":"</script><b>\u202Eevil</b>"}';
  const signed = `evt_1.${time}.${body}`;
  const digest = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64');
  const asymmetric = sign(null, Buffer.from(signed), privateKey).toString('base64');
  const sending = request(`${baseUrl}/hooks/proof?token=in-the-url`, {
    method: 'POST',
    localAddress: senderAddress,
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${digest} v1a,${asymmetric}`,
      authorization: 'Bearer not-for-others',
    },
  }).end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export as a page…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export callback 1 as a page' });
  const redactions = dialog.getByRole('region', { name: 'Left out or masked' });
  await redactions.getByText('Request header authorization is masked.').waitFor();
  await redactions.getByText('Secret parameters in the URL are masked.').waitFor();
  await redactions.getByText('The sender’s IP address is left out.').waitFor();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save page' }).click();
  const file = join(temporaryFolder(), 'callback-1.html');
  await (await downloading).saveAs(file);
  const html = await readFile(file, 'utf8');
  for (const hidden of ['not-for-others', 'in-the-url', secret.slice(6), senderAddress, '\u202E']) {
    expect(html).not.toContain(hidden);
  }

  const context = await page.context().browser()?.newContext({ offline: true });
  if (!context) throw new Error('The browser has closed.');
  const proof = await context.newPage();
  const requests: string[] = [];
  proof.on('request', (request) => requests.push(request.url()));
  const problems: string[] = [];
  proof.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await proof.goto(pathToFileURL(file).href);
  const heading = proof.getByRole('heading', { level: 1 });
  await expect.poll(() => heading.textContent()).toBe('Callback 1 Not verified');
  await expect
    .poll(() => proof.locator('#body').textContent())
    .toBe('{"id":"precipitation_7","text":"</script><b>\\u202Eevil</b>"}');
  const sha256 = createHash('sha256').update(body).digest('hex');
  await expect.poll(() => proof.locator('#hash').textContent()).toBe(`${Buffer.byteLength(body)} B, SHA-256 ${sha256}`);
  expect(await proof.locator('#request').textContent()).toMatch(/^POST \/hooks\/proof\?token=.* HTTP\/1\.1\n/);
  const verify = async (key: string) => {
    await proof.getByLabel('Public key or secret').fill(key);
    await proof.getByRole('button', { name: 'Verify' }).click();
    const outcome = proof.getByRole('status');
    await expect.poll(() => outcome.textContent()).not.toMatch(/^(Verifying…)?$/);
    return outcome.textContent();
  };
  expect(await verify(`whpk_${rawKey}`)).toBe('The signature is valid.');
  expect(await verify(secret)).toBe('The signature is valid.');
  expect(await heading.textContent()).toBe('Callback 1 Signature valid');
  const x = Buffer.from(rawKey, 'base64').toString('base64url');
  expect(await verify(JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x }] }))).toBe('The signature is valid.');
  expect(await verify('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).toBe('The signature is NOT valid with this key.');
  expect(await heading.textContent()).toBe('Callback 1 Signature wrong');
  expect(await verify('whpk_short!')).toMatch(/^This is not a key/);
  expect(await heading.textContent()).toBe('Callback 1 Not verified');
  expect(requests).toEqual([pathToFileURL(file).href]);
  // What an editor of the file changes is either not shown as signed, or no longer verified.
  writeFileSync(file, html.replaceAll('precipitation_7', 'precipitation_9').replaceAll('evt_1', 'evt_2'));
  await proof.reload();
  expect(await proof.locator('#event').textContent()).toBe('evt_2');
  expect(await proof.locator('#body').textContent()).toContain('precipitation_7');
  expect(await verify(secret)).toBe('The signature is NOT valid with this key.');
  const run = (text: string) => {
    writeFileSync(file, text);
    return runRainbell(['verify', file], { environment: { RAINBELL_WEBHOOK_SECRET: secret } });
  };
  expect(await run(html)).toMatchObject({ code: 0, out: expect.stringContaining(sha256) });
  expect(await run(html.replaceAll('evt_1', 'evt_2'))).toMatchObject({
    code: 1,
    out: expect.stringContaining('the signature is wrong'),
  });
  expect(problems).toEqual([]);
  await proof.emulateMedia({ colorScheme: 'dark' });
  expect((await accessibilityFindings(proof)).violations).toEqual([]);
  await context.close();
});
