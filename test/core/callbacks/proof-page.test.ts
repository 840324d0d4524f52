// What the file of one callback shows, read from its HTML; and that its script is the only one that may run.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { type ProofFacts, readProof, renderProof } from '#core/callbacks/callback-proof.ts';
import { maskText } from '#shared/text/mask-text.ts';
import { sampleCallback } from '#test/renderer/sample-callback.ts';

const bodyOf = (body: Buffer) => ({ bodyBase64: body.toString('base64'), sizeBytes: body.length });

const callbackWith = (changes: Partial<Callback> = {}) =>
  sampleCallback({
    id: 7,
    receivedAt: '2026-11-21T06:00:00.000Z',
    target: '/hooks/a?token=hush-hush&x=1',
    remoteAddress: '192.0.2.7',
    answeredStatus: 204,
    outcome: { kind: 'answered', at: '2026-11-21T06:00:00.012Z', afterMs: 12, bytesSent: 99 },
    monitorId: 'precipitation_7',
    verdictName: 'verified',
    headers: [
      ['Host', 'rain.example'],
      ['Cookie', 'a=b'],
      ['Webhook-Id', 'evt_<1>'],
      ['webhook-timestamp', '1780000000'],
      ['webhook-signature', 'v1,abc'],
    ],
    answer: {
      action: 'answer',
      status: 204,
      headers: [
        ['X-Rule', 'a'],
        ['Set-Cookie', 'c=d'],
      ],
      body: 'thanks & bye',
      delayMs: 0,
      rule: null,
      step: null,
    },
    ...bodyOf(Buffer.from('{"id":"<b>&\u202E"}')),
    checks: [
      { check: 'request', verdict: 'ok', message: 'A POST of "JSON".' },
      { check: 'monitor', verdict: 'warning', message: 'Odd.' },
      { check: 'hour', verdict: 'error', message: 'Too soon.' },
      { check: 'signature', verdict: 'unknown', message: 'Who knows.' },
    ],
    note: 'Look at this',
    ...changes,
  });

const facts: ProofFacts = {
  version: '0.1.0',
  exportedAt: Date.UTC(2026, 10, 23, 12),
  connection: { name: 'Team <1>', baseUrl: 'https://api.example' },
  mask: (text) => text.replaceAll('lan-token-of-the-app', maskText),
};

function read(callback: Callback, changes: Partial<ProofFacts> = {}) {
  const { html, fileName, redactions } = renderProof(callback, { ...facts, ...changes });
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((match) => match.slice(1));
  return {
    html,
    fileName,
    redactions,
    pairs: Object.fromEntries(all(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)) as Record<string, string>,
    rows: all(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g),
    pres: all(/<pre>(.*?)<\/pre>/gs).flat(),
    paragraphs: all(/<p>(.*?)<\/p>/gs).flat(),
    items: all(/<li>(.*?)<\/li>/g).flat(),
    data: JSON.parse(all(/<script type="application\/json" id="callback">(.*?)<\/script>/g)[0]?.[0] ?? '') as {
      target: string;
      headers: [string, string][];
    },
    script: all(/<script>(.*?)<\/script>/gs)[0]?.[0] ?? '',
    policy: all(/Content-Security-Policy" content="(.*?)"/g)[0]?.[0] ?? '',
  };
}

describe('the file of a callback', () => {
  test('shows the request, the response, and the checks, without secrets', () => {
    const page = read(callbackWith());
    expect(page.fileName).toBe('callback-7.html');
    expect(Object.values(page.pairs)).toEqual([
      'Verified',
      expect.stringContaining('2026-11-21T06:00:00.000Z'),
      'Team &lt;1&gt;, https://api.example',
      expect.stringMatching(/^2026-11-23T12:00:00\.000Z .*0\.1\.0$/),
    ]);
    expect(page.rows).toEqual([
      ['Request', 'passed', 'A POST of &quot;JSON&quot;.'],
      ['Monitor object', 'warning', 'Odd.'],
      ['Cool-down', 'failed', 'Too soon.'],
      ['Signature', 'not checked', 'Who knows.'],
    ]);
    expect(page.pres).toEqual([`204\nX-Rule: a\nSet-Cookie: ${maskText}\nthanks &amp; bye`]);
    expect(page.paragraphs).toContainEqual(expect.stringMatching(/\b12 ms\. .*\b99\.$/));
    expect(page.html).not.toMatch(/hush|192\.0\.2\.7|a=b|c=d|\u202E/);
    expect(page.redactions).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      expect.stringContaining('Cookie'),
      expect.stringContaining('Set-Cookie'),
      'Your note is left out.',
    ]);
    expect(page.items).toEqual(page.redactions);
    expect(page.html).toContain('<code>https://api.example/.well-known/webhook-keys.json</code>');
  });

  test('has the request once, as an export has it, and one script', () => {
    const { data, script, policy, html } = read(callbackWith());
    expect(data).toEqual({
      receivedAt: '2026-11-21T06:00:00.000Z',
      method: 'POST',
      target: `/hooks/a?token=${maskText}&x=1`,
      httpVersion: '1.1',
      truncated: false,
      answeredStatus: 204,
      remoteAddress: '',
      bodyBase64: Buffer.from('{"id":"<b>&\u202E"}').toString('base64'),
      headers: [
        ['Host', 'rain.example'],
        ['Cookie', maskText],
        ['Webhook-Id', 'evt_<1>'],
        ['webhook-timestamp', '1780000000'],
        ['webhook-signature', 'v1,abc'],
      ],
    });
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toBe(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`);
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html.match(/<script type="application\/json"/g)).toHaveLength(1);
  });

  test('masks the app’s own secrets everywhere but in the body, and says so', () => {
    const token = 'lan-token-of-the-app';
    const page = read(
      callbackWith({
        target: `/${token}/hooks?sig=hush-hush&api_key=hush-hush`,
        headers: [
          ['Referer', `http://192.168.1.2:4545/${token}/`],
          ...['X-Auth-Token', 'Api-Key', 'X-Goog-Iam-Authorization-Token'].map((name): [string, string] => [
            name,
            'hush-hush',
          ]),
        ],
        checks: [{ check: 'address', verdict: 'error', message: `The URL is http://192.168.1.2:4545/${token}/a.` }],
        note: `See /${token}/`,
        answer: null,
      }),
    );
    expect(page.html).not.toMatch(/lan-token-of-the-app|hush-hush/);
    expect(page.data.target).toBe(`/${maskText}/hooks?sig=${maskText}&api_key=${maskText}`);
    expect(page.redactions).toContainEqual(expect.stringMatching(/^Secrets of this app, .* are masked\.$/));
    const body = bodyOf(Buffer.from(`{"callback_uri":"http://a/${token}/"}`));
    const { html, redactions } = read(callbackWith(body));
    expect(html).toContain(body.bodyBase64);
    expect(redactions).toContainEqual(expect.stringMatching(/^Not masked: the body contains a secret of this app/));
  });

  test('has nothing of what is not there', () => {
    const callback = callbackWith({
      target: '/',
      headers: [],
      answer: null,
      note: '',
      monitorId: null,
      ...bodyOf(Buffer.alloc(0)),
      checks: [],
    });
    const page = read(callback, { connection: null });
    expect(page.pairs).toMatchObject({ Service: 'unknown' });
    expect(Object.keys(page.pairs)).toHaveLength(4);
    expect([page.pres, page.rows]).toEqual([[], []]);
    expect(page.redactions).toHaveLength(1);
    expect(page.html).toContain('<code>https://…/.well-known/webhook-keys.json</code>');
  });

  test('leaves out a note, and says so, also of a body that was cut', () => {
    const callback = callbackWith({ headers: [], target: '/', answer: null });
    const without = read(callback);
    expect(without.html).not.toContain('Look at this');
    expect(without.redactions).toHaveLength(2);
    expect(read({ ...callback, note: '' }).redactions).toHaveLength(1);
    expect(read({ ...callback, truncated: true }).redactions).toHaveLength(3);
  });

  test('has the response of a rule that closed the connection', () => {
    const { answer } = callbackWith();
    const page = read(callbackWith({ answer: answer && { ...answer, action: 'close', status: null } }));
    expect(page.pres[0]).toMatch(/^no status\n/);
  });
});

test('a file that another app made is imported with the bytes as received', () => {
  const headers: [string, string][] = [['webhook-id', 'evt_1']];
  const body = '{"id":"precipitation_7"}';
  const { html } = read(callbackWith({ headers, ...bodyOf(Buffer.from(body)) }));
  const row = readProof(html);
  expect([row.body.toString(), row.rawHeaders, row.isImported]).toEqual([body, headers.flat(), true]);
  for (const file of ['<!doctype html><title>a</title>', html.replace('"receivedAt"', '"received"')])
    expect(() => readProof(file)).toThrow(/^(The file is not a callback|receivedAt: is missing)/);
});
