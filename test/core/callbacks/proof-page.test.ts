// What the file of one callback shows, read from its HTML; and that its script is the only one that may run.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verdictNames } from '#contract/app-rpc/callback-verdicts.ts';
import type { Callback } from '#contract/app-rpc/callbacks.ts';
import { renderProof, type ProofFacts } from '#core/callbacks/callback-proof.ts';
import { maskText } from '#shared/text/mask-text.ts';

const bodyOf = (body: Buffer) => ({ bodyBase64: body.toString('base64'), sizeBytes: body.length });

function callbackWith(changes: Partial<Callback> = {}): Callback {
  return {
    id: 7,
    receivedAt: '2026-11-21T06:00:00.000Z',
    method: 'POST',
    target: '/hooks/a?token=hush-hush&x=1',
    remoteAddress: '192.0.2.7',
    answeredStatus: 204,
    outcome: { kind: 'answered', at: '2026-11-21T06:00:00.012Z', afterMs: 12, bytesSent: 99 },
    refusal: null,
    monitorId: 'precipitation_7',
    hasNote: true,
    isImported: false,
    isByFeed: false,
    verdict: 'ok',
    verdictName: 'verified',
    kind: 'event',
    isMonitorOwn: true,
    httpVersion: '1.1',
    headers: [
      ['Host', 'rain.example'],
      ['Cookie', 'a=b'],
      ['Webhook-Id', 'evt_<1>'],
      ['webhook-timestamp', '1780000000'],
      ['webhook-signature', 'v1,abc'],
    ],
    head: null,
    trailers: [],
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
    decoded: null,
    truncated: false,
    hasOtherWay: false,
    episode: [],
    checks: [
      { check: 'request', verdict: 'ok', message: 'A POST of "JSON".' },
      { check: 'monitor', verdict: 'warning', message: 'Odd.' },
      { check: 'registered', verdict: 'error', message: 'No.' },
      { check: 'address', verdict: 'unknown', message: 'Who knows.' },
      { check: 'hour', verdict: 'ok', message: 'First.' },
      { check: 'signature', verdict: 'ok', message: 'Valid.' },
      { check: 'storage', verdict: 'warning', message: 'Lost.' },
    ],
    note: 'Look at this',
    sends: [],
    ...changes,
  };
}

const facts: ProofFacts = {
  version: '0.1.0',
  exportedAt: Date.UTC(2026, 10, 23, 12),
  connection: { name: 'Team <1>', baseUrl: 'https://api.example' },
  keySource: 'published',
  includesNote: true,
  mask: (text) => text.replaceAll('lan-token-of-the-app', maskText),
};

function read(callback: Callback, changes: Partial<ProofFacts> = {}) {
  const { html, fileName, redactions } = renderProof(callback, { ...facts, ...changes });
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((match) => match.slice(1));
  return {
    html,
    fileName,
    redactions,
    pairs: Object.fromEntries(all(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)) as Record<string, string>,
    rows: all(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g),
    pres: all(/<pre>(.*?)<\/pre>/gs).flat(),
    paragraphs: all(/<p>(.*?)<\/p>/gs).flat(),
    items: all(/<li>(.*?)<\/li>/g).flat(),
    badge: all(/<h1>Callback (\d+) <span class="(\w+)">(.*?)<\/span><\/h1>/g)[0],
    data: JSON.parse(all(/<script type="application\/json" id="callback">(.*?)<\/script>/g)[0]?.[0] ?? '') as unknown,
    script: all(/<script>(.*?)<\/script>/gs)[0]?.[0] ?? '',
    policy: all(/Content-Security-Policy" content="(.*?)"/g)[0]?.[0] ?? '',
  };
}

describe('the file of a callback', () => {
  test('shows the request, the response, and the checks, without secrets', () => {
    const page = read(callbackWith());
    expect(page.fileName).toBe('callback-7.html');
    expect(page.badge).toEqual(['7', 'good', 'Verified']);
    expect(Object.values(page.pairs)).toEqual([
      expect.stringContaining('2026-11-21T06:00:00.000Z'),
      'Team &lt;1&gt;, https://api.example',
      'precipitation_7',
      expect.stringMatching(/^2026-11-23T12:00:00\.000Z .*0\.1\.0$/),
      'Look at this',
    ]);
    expect(page.rows.map(([, , message]) => message)).toEqual([
      'A POST of &quot;JSON&quot;.',
      'Odd.',
      'No.',
      'Who knows.',
      'First.',
      'Valid.',
      'Lost.',
    ]);
    expect(new Set(page.rows.map(([name]) => name)).size).toBe(7);
    for (const [name] of page.rows) expect(name).toMatch(/\w/);
    expect(new Set(page.rows.map(([, result]) => result)).size).toBe(4);
    for (const [, result] of page.rows) expect(result).toMatch(/\w/);
    expect(page.rows[0]?.[1]).toBe(page.rows[4]?.[1]);
    expect(page.pres).toEqual([
      `POST /hooks/a?token=${maskText}&amp;x=1 HTTP/1.1\nHost: rain.example\nCookie: ${maskText}\nWebhook-Id: evt_&lt;1&gt;\nwebhook-timestamp: 1780000000\nwebhook-signature: v1,abc`,
      String.raw`{&quot;id&quot;:&quot;&lt;b&gt;&amp;\u202E&quot;}`,
      `204\nX-Rule: a\nSet-Cookie: ${maskText}\nthanks &amp; bye`,
    ]);
    expect(page.html).not.toMatch(/hush|192\.0\.2\.7|a=b|c=d|\u202E/);
    expect(page.redactions).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      expect.stringContaining('Cookie'),
      expect.stringContaining('Set-Cookie'),
    ]);
    expect(page.items).toEqual(page.redactions);
    expect(page.html).toContain('<code>https://api.example/.well-known/webhook-keys.json</code>');
  });

  test('has what the signature covers, and one script', () => {
    const { data, script, policy, html } = read(callbackWith());
    expect(data).toEqual({
      id: 'evt_<1>',
      timestamp: '1780000000',
      signature: 'v1,abc',
      bodyBase64: Buffer.from('{"id":"<b>&\u202E"}').toString('base64'),
    });
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toBe(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`);
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html.match(/<script type="application\/json"/g)).toHaveLength(1);
    expect(read(callbackWith({ headers: [] })).data).toMatchObject({ id: '', timestamp: '', signature: '' });
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
    expect(page.pres[0]).toContain(`POST /${maskText}/hooks?sig=${maskText}&amp;api_key=${maskText} HTTP/1.1`);
    expect(page.redactions).toContainEqual(expect.stringMatching(/^Secrets of this app, .* are masked\.$/));
    const { html, redactions } = read(callbackWith(bodyOf(Buffer.from(`{"callback_uri":"http://a/${token}/"}`))));
    expect(html).toContain(`http://a/${token}/`);
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
    expect([page.pres, page.rows]).toEqual([['POST / HTTP/1.1\n'], []]);
    expect(page.redactions).toHaveLength(1);
    expect(page.html).toContain('<code>https://…/.well-known/webhook-keys.json</code>');
    expect(page.html).not.toContain('SHA-256 <code>');
  });

  test('leaves out a note, and says so, also of a body that was cut', () => {
    const callback = callbackWith({ headers: [], target: '/', answer: null });
    const without = read(callback, { includesNote: false });
    expect(without.html).not.toContain('Look at this');
    expect(without.redactions).toHaveLength(2);
    expect(read({ ...callback, note: '' }, { includesNote: false }).redactions).toHaveLength(1);
    expect(read({ ...callback, truncated: true }).redactions).toHaveLength(2);
    const noStatus = {
      action: 'close' as const,
      status: null,
      headers: [],
      body: '',
      delayMs: 0,
      rule: null,
      step: null,
    };
    expect(read({ ...callback, answer: noStatus }).pres[2]).toMatch(/^\w+ \w+\n\n$/);
  });

  test.each([
    ['ok', 'good'],
    ['warning', 'warn'],
    ['error', 'bad'],
    ['unknown', 'mute'],
  ] as const)('marks %s by the style %s', (verdict, style) => {
    const { badge, html } = read(callbackWith({ verdict }));
    expect(badge?.[1]).toBe(style);
    expect(html).toContain(`.${style}{`);
  });

  test('names each verdict', () => {
    const names = verdictNames.map((verdictName) => read(callbackWith({ verdictName })).badge?.[2]);
    expect(new Set(names).size).toBe(verdictNames.length);
    expect(names).not.toContain('');
  });

  test('says how the signature was verified', () => {
    const about = (changes: Partial<Callback>, keySource: ProofFacts['keySource']) =>
      read(callbackWith(changes), { keySource }).paragraphs[0];
    const published = about({}, 'published');
    const own = about({}, 'typed');
    expect(published).not.toBe(own);
    expect(about({}, 'service')).toBe(own);
    const checks = [{ check: 'signature' as const, verdict: 'error' as const, message: 'Not valid.' }];
    expect(about({ checks }, 'published')).toBe('Not valid.');
    expect(about({ checks: [] }, 'published')).toMatch(/\S/);
    expect(about({ checks: [] }, 'published')).not.toBe(published);
  });

  test('says how the response ended', () => {
    const about = (afterMs: number | null, bytesSent: number | null) =>
      read(callbackWith({ outcome: { kind: 'closed', at: null, afterMs, bytesSent } })).paragraphs.find((text) =>
        text.includes('closed'),
      );
    expect(about(12, 99)).toMatch(/closed\. .*\b12 ms\. .*\b99\.$/);
    expect(about(0, 0)).toMatch(/closed\. .*\b0 ms\. .*\b0\.$/);
    expect(about(null, null)).toMatch(/closed\.$/);
  });

  test('shows bytes in hexadecimal digits, 32 to a line', () => {
    const bytes = Buffer.from([0xff, ...Array.from({ length: 39 }, (_, index) => index)]);
    const { pres, paragraphs } = read(callbackWith(bodyOf(bytes)));
    expect(pres[1]).toBe(`${bytes.subarray(0, 32).toString('hex')}\n${bytes.subarray(32).toString('hex')}`);
    expect(paragraphs.filter((text) => text.includes('hexadecimal'))).toHaveLength(1);
    expect(read(callbackWith()).paragraphs.filter((text) => text.includes('hexadecimal'))).toEqual([]);
  });

  test('has the size and the SHA-256 of the body', () => {
    // FIPS 180-2, appendix B.1.
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const { paragraphs } = read(callbackWith(bodyOf(Buffer.from('abc'))));
    expect(paragraphs.filter((text) => text.includes(`<code>${abc}</code>`) && /\b3 bytes\b/.test(text))).toHaveLength(
      1,
    );
    expect(read(callbackWith(bodyOf(Buffer.from('a')))).html).toMatch(/\b1 byte,/);
  });

  test('shows 200,000 characters', () => {
    const shown = (length: number) => read(callbackWith(bodyOf(Buffer.from('x'.repeat(length)))));
    expect(shown(200_000).paragraphs.filter((text) => text.includes('200000'))).toEqual([]);
    const cut = shown(200_001);
    expect(cut.pres[1]).toHaveLength(200_000);
    expect(cut.paragraphs.filter((text) => text.includes('200000'))).toHaveLength(1);
    const { answer } = callbackWith();
    const long = read(callbackWith({ answer: answer && { ...answer, headers: [], body: 'y'.repeat(200_001) } }));
    expect(long.pres[2]).toBe(`204\n\n${'y'.repeat(200_000)}`);
  });
});
