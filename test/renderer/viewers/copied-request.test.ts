// What copied requests say of themselves, and their text where the tools’ manuals ask for it. callback-copy.test.ts runs such texts with the
// real tools.
import { describe, expect, it } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { callbackCode, copyTools, requestCode } from '#renderer/viewers/request-code.ts';

const baseUrl = 'http://127.0.0.1:4545';
const command = (...all: string[]) => all.join(' \\\n  ');

type Changes = { method?: string; target?: string; headers?: HeaderList; body?: string | Buffer };

const sent = ({ method = 'POST', target = '/a', headers = [], body = '' }: Changes) => ({
  method,
  target,
  headers,
  bodyBase64: Buffer.from(body).toString('base64'),
});
const copied = (tool: (typeof copyTools)[number], changes: Changes) => callbackCode(tool, sent(changes), baseUrl);
const texts = (changes: Changes) =>
  Object.fromEntries(copyTools.map((tool) => [tool, copied(tool, changes).text.replaceAll(baseUrl, '')]));

/** Each limit by what it is about, without its wording. */
const about =
  /Host becomes \S+|Content-Length|Upgrade|Trailers|target \S+|same name|body with \w+|send (?:CONNECT|TRACE|track)|uppercase|after HEAD|unchanged: [\w, -]+|adds.*/;
const limits = (changes: Changes) =>
  Object.fromEntries(
    copyTools.map((tool) => [tool, copied(tool, changes).limits.map((limit) => about.exec(limit)?.[0] ?? limit)]),
  );
const fetchAdds =
  'adds these headers if they are missing: accept, accept-language, accept-encoding, user-agent, sec-fetch-mode.';
const httpieAdds = 'adds Accept-Encoding and User-Agent.';
const noLimits = { cURL: [], fetch: [fetchAdds], HTTPie: [httpieAdds], Python: [] };

describe('a copied callback', () => {
  it('has nothing that a terminal acts on: a body can’t end a bracketed paste', () => {
    const body = '\u001b[201~\u0003\rtouch x\n\u009b2J\u202e';
    const headers: HeaderList = [['X-At', '\u00c2\u009b2J']];
    // oxlint-disable-next-line no-control-regex -- these are the characters to find
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
    for (const [tool, text] of Object.entries(texts({ headers, body })))
      expect([tool, controls.exec(text)?.[0]]).toEqual([tool, undefined]);
    expect(copied('cURL', { body }).text).toContain(
      `printf %s '${Buffer.from(body).toString('base64')}' | base64 -d | curl `,
    );
  });

  it('of text or bytes has no limits, but for bytes in a header of HTTPie', () => {
    const ofText: HeaderList = [
      ['Host', '127.0.0.1:4545'],
      ['Connection', 'close'],
      ['Content-Length', '10'],
      ['X-Empty', ''],
      ['X-At', '@a=b'],
    ];
    expect(limits({ target: '/a?x=1', headers: ofText, body: `{"a":"ü'"}` })).toEqual(noLimits);
    const ofBytes = { method: 'PURGE', body: Buffer.from('ff', 'hex') };
    expect(limits(ofBytes)).toEqual(noLimits);
    const headers: HeaderList = [
      ['User-Agent', 'caf\xe9 100%\\'],
      ['accept-encoding', 'br'],
    ];
    expect(limits({ ...ofBytes, headers })).toEqual({ ...noLimits, HTTPie: ['unchanged: User-Agent'] });
    expect(copied('cURL', { body: 'a\0b' }).text).toContain('--data-binary @-');
  });

  it('keeps a Content-Length of 0', () => {
    expect(copied('cURL', { headers: [['content-LENGTH', '0']] }).text).toContain("--data-raw ''");
    expect(copied('cURL', {}).text).not.toContain('--data-raw');
  });

  it('by HEAD or GET has a body only for tools that can send one', () => {
    const [bare, full] = [{ method: 'HEAD' }, { method: 'HEAD', body: 'x' }];
    expect(texts(bare)['cURL']).toBe(command("curl -X 'HEAD' '/a'", '--head', "-H 'User-Agent:'", "-H 'Accept:'"));
    expect(limits(bare)).toEqual(noLimits);
    expect(texts(full)['cURL']).not.toContain('--head');
    expect(texts(full)['fetch']).not.toContain('body');
    expect(limits(full)).toEqual({ ...noLimits, cURL: ['after HEAD'], fetch: ['body with HEAD', fetchAdds] });
    expect(limits({ method: 'GET', body: 'x' })).toEqual({ ...noLimits, fetch: ['body with GET', fetchAdds] });
    expect(texts({ method: 'GET', body: 'x' })['cURL']).toContain("--data-raw 'x'");
    expect(texts({ method: 'GET' })['cURL']).not.toContain('--head');
  });

  it.each<[string, { curl: string; sentByFetch?: boolean; sentByPython?: boolean; path?: string }]>([
    [
      "/hooks/o'a-b.c~%2F?=&:@,;+!$()*",
      { curl: "'/hooks/o'\\''a-b.c~%2F?=&:@,;+!$()*'", sentByFetch: true, sentByPython: true },
    ],
    ['/a/../b', { curl: "--request-target '/a/../b' ''", sentByPython: true }],
    ['//a', { curl: "--request-target '//a' ''", sentByFetch: true }],
    ['*', { curl: "--request-target '*' ''", path: '/' }],
    ['http://x.example/y', { curl: "--request-target 'http://x.example/y' ''", path: '/' }],
  ])('to %s says which tools would change the target', (target, { curl, sentByFetch, sentByPython, path = target }) => {
    const changed = [`target ${target}.`];
    expect(limits({ target })).toEqual({
      cURL: [],
      fetch: [...(sentByFetch ? [] : changed), fetchAdds],
      HTTPie: [...(sentByPython ? [] : changed), httpieAdds],
      Python: sentByPython ? [] : changed,
    });
    const all = texts({ target });
    expect(all['cURL']).toContain(`curl -X 'POST' ${curl} `);
    expect(all['fetch']).toContain(`await fetch(${JSON.stringify(path)}, `);
    expect(all['HTTPie']).toContain(`'POST' '${path.replaceAll("'", "'\\''")}' `);
    expect(all['Python']).toContain(`request.url = ${JSON.stringify(path)}`);
  });

  it('says what no tool sends, and what a tool changes', () => {
    const ofConnection: HeaderList = [
      ['host', 'other.example'],
      ['Transfer-Encoding', 'chunked'],
      ['Upgrade', 'h2c'],
      ['Trailer', 'X'],
      ['TE', 'trailers'],
      ['Expect', '100-continue'],
      ['Keep-Alive', '5'],
      ['Proxy-Connection', 'close'],
    ];
    const common = ['Host becomes 127.0.0.1:4545.', 'Content-Length', 'Upgrade', 'Trailers'];
    expect(limits({ headers: ofConnection })).toEqual({
      cURL: common,
      fetch: [...common, fetchAdds],
      HTTPie: [...common, httpieAdds],
      Python: common,
    });
    expect(texts({ headers: ofConnection })).toEqual(texts({}));
    const twice: HeaderList = [
      ['X-A', '1'],
      ['x-a', '2'],
      ['X-B', 'a\\:b'],
      ['X-C', '\xff'],
      ['User-Agent', ''],
    ];
    expect(limits({ method: 'patch', headers: twice })).toEqual({
      cURL: [],
      fetch: ['same name', fetchAdds],
      HTTPie: ['unchanged: X-B, X-C', 'uppercase', 'adds Accept-Encoding.'],
      Python: ['same name'],
    });
    for (const method of ['CONNECT', 'TRACE', 'track'])
      expect(limits({ method })['fetch']).toEqual([`send ${method}`, fetchAdds]);
    expect(limits({ method: 'TRACED' })['fetch']).toEqual([fetchAdds]);
  });

  it('with UTF-8 in a header is readable for HTTPie', () => {
    const word = Buffer.from('\uFEFFgrün').toString('latin1');
    expect(texts({ headers: [['X-Word', word]] })['HTTPie']).toContain("'X-Word:\uFEFFgrün'");
  });

  it('that is long goes through a pipe, and without Expect', () => {
    const of = (base64Length: number) => copied('cURL', { body: 'x'.repeat((base64Length / 4) * 3) }).text;
    expect(of(60_000)).toContain('--data-raw');
    expect(of(60_004)).toContain('base64 -d');
    expect(of(1_000_000)).not.toContain('Expect');
    expect(of(1_000_004)).toContain("-H 'Expect:'");
  });
});

describe('the app’s own copied request', () => {
  const read = { method: 'GET', url: 'https://a.example/', headers: [] };

  it('without body, secrets, and encoding is short', () => {
    expect(requestCode('cURL', read)).toBe("curl 'https://a.example/'");
    expect(requestCode('HTTPie', read)).toBe("http --ignore-stdin GET 'https://a.example/'");
    expect(requestCode('fetch', read)).not.toContain('body');
    expect(requestCode('Python', read)).not.toContain('data=');
    expect(requestCode('cURL', { ...read, method: 'DELETE' })).toBe("curl -X DELETE 'https://a.example/'");
    expect(requestCode('cURL', { ...read, body: '' })).toBe(
      command("curl -X GET 'https://a.example/'", "--data-raw ''"),
    );
    expect(requestCode('Python', { ...read, body: '' })).toContain('    data="",');
    expect(requestCode('cURL', { ...read, body: '••••••••' })).toContain('--data-raw "$SECRET"');
    expect(requestCode('cURL', { ...read, body: 'a=••••••••&b=••••••••' })).toContain('--data-raw "a=$A&b=$B"');
  });
});
