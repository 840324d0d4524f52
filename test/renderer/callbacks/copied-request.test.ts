// The exact text of copied requests, as the manuals of curl, HTTPie, requests, and the shell ask for it. callback-copy.test.ts
// runs such texts with the real tools.
import { describe, expect, it } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { callbackCode, copyTools, requestCode } from '#renderer/viewers/request-code.ts';

const baseUrl = 'http://127.0.0.1:4545';
const lines = (...all: string[]) => all.join('\n');
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

  it('of text has its headers and its body, and none of the connection', () => {
    const headers: HeaderList = [
      ['Host', '127.0.0.1:4545'],
      ['Connection', 'close'],
      ['Content-Length', '10'],
      ['Content-Type', 'application/json'],
      ['X-Empty', ''],
      ['X-At', '@a=b'],
    ];
    const changes = { target: '/a?x=1', headers, body: `{"a":"ü'"}` };
    expect(texts(changes)).toEqual({
      cURL: command(
        "curl -X 'POST' '/a?x=1'",
        "-H 'User-Agent:'",
        "-H 'Accept:'",
        "-H 'Content-Type: application/json'",
        "-H 'X-Empty;'",
        "-H 'X-At: @a=b'",
        `--data-raw '{"a":"ü'\\''"}'`,
      ),
      fetch: lines(
        'await fetch("/a?x=1", {',
        '  method: "POST",',
        '  headers: [["Content-Type","application/json"],["X-Empty",""],["X-At","@a=b"]],',
        `  body: new TextEncoder().encode("{\\"a\\":\\"ü'\\"}"),`,
        '});',
      ),
      HTTPie: command(
        "http --ignore-stdin --path-as-is 'POST' '/a?x=1'",
        "'Accept:'",
        "'Content-Type:application/json'",
        "'X-Empty;'",
        "'X-At:\\@a=b'",
        `--raw '{"a":"ü'\\''"}'`,
      ),
      Python: lines(
        'import requests',
        'from urllib3.util import SKIP_HEADER',
        '',
        `request = requests.Request("POST", "/a?x=1", data="{\\"a\\":\\"ü'\\"}".encode()).prepare()`,
        'request.method = "POST"',
        'request.url = "/a?x=1"',
        'request.headers["Content-Type"] = "application/json".encode("latin-1")',
        'request.headers["X-Empty"] = "".encode("latin-1")',
        'request.headers["X-At"] = "@a=b".encode("latin-1")',
        'request.headers["User-Agent"] = SKIP_HEADER',
        'request.headers["Accept-Encoding"] = SKIP_HEADER',
        'response = requests.Session().send(request)',
        'print(response.status_code, response.text)',
      ),
    });
    expect(limits(changes)).toEqual(noLimits);
  });

  it('of bytes that are not UTF-8, or have a NUL, goes through base64; other bytes of a header through printf', () => {
    const headers: HeaderList = [
      ['User-Agent', 'caf\xe9 100%\\'],
      ['ACCEPT', '*/*'],
      ['accept-encoding', 'br'],
      ['content-type', 'a/b'],
    ];
    const changes = { method: 'PURGE', headers, body: Buffer.from('ff', 'hex') };
    expect(texts(changes)).toEqual({
      cURL: command(
        "printf %s '/w==' | base64 -d | curl -X 'PURGE' '/a'",
        `-H "$(printf 'User-Agent: caf\\351 100%%\\\\')"`,
        "-H 'ACCEPT: */*'",
        "-H 'accept-encoding: br'",
        "-H 'content-type: a/b'",
        '--data-binary @-',
      ),
      fetch: lines(
        'await fetch("/a", {',
        '  method: "PURGE",',
        '  headers: [["User-Agent","caf\xe9 100%\\\\"],["ACCEPT","*/*"],["accept-encoding","br"],["content-type","a/b"]],',
        '  body: Uint8Array.from(atob("/w=="), (letter) => letter.charCodeAt(0)),',
        '});',
      ),
      HTTPie: command(
        "printf %s '/w==' | base64 -d | http --path-as-is 'PURGE' '/a'",
        "'ACCEPT:*/*'",
        "'accept-encoding:br'",
        "'content-type:a/b'",
      ),
      Python: lines(
        'import base64',
        'import requests',
        '',
        'request = requests.Request("PURGE", "/a", data=base64.b64decode("/w==")).prepare()',
        'request.method = "PURGE"',
        'request.url = "/a"',
        'request.headers["User-Agent"] = "caf\xe9 100%\\\\".encode("latin-1")',
        'request.headers["ACCEPT"] = "*/*".encode("latin-1")',
        'request.headers["accept-encoding"] = "br".encode("latin-1")',
        'request.headers["content-type"] = "a/b".encode("latin-1")',
        'response = requests.Session().send(request)',
        'print(response.status_code, response.text)',
      ),
    });
    expect(limits(changes)).toEqual({ ...noLimits, HTTPie: ['unchanged: User-Agent'] });
    expect(copied('cURL', { body: 'a\0b' }).text).toContain('--data-binary @-');
  });

  it('without a body has none, and a Content-Length of 0 stays', () => {
    expect(texts({})).toEqual({
      cURL: command("curl -X 'POST' '/a'", "-H 'User-Agent:'", "-H 'Accept:'"),
      fetch: lines('await fetch("/a", {', '  method: "POST",', '  headers: [],', '});'),
      HTTPie: command("http --ignore-stdin --path-as-is 'POST' '/a'", "'Accept:'"),
      Python: lines(
        'import requests',
        'from urllib3.util import SKIP_HEADER',
        '',
        'request = requests.Request("POST", "/a").prepare()',
        'request.method = "POST"',
        'request.url = "/a"',
        'request.headers["User-Agent"] = SKIP_HEADER',
        'request.headers["Accept-Encoding"] = SKIP_HEADER',
        'response = requests.Session().send(request)',
        'print(response.status_code, response.text)',
      ),
    });
    expect(copied('cURL', { headers: [['content-LENGTH', '0']] }).text).toBe(
      command(
        `curl -X 'POST' '${baseUrl}/a'`,
        "-H 'User-Agent:'",
        "-H 'Accept:'",
        "-H 'Content-Type:'",
        "--data-raw ''",
      ),
    );
    expect(texts({ body: 'x' })).toMatchObject({
      cURL: command("curl -X 'POST' '/a'", "-H 'User-Agent:'", "-H 'Accept:'", "-H 'Content-Type:'", "--data-raw 'x'"),
      HTTPie: command("http --ignore-stdin --path-as-is 'POST' '/a'", "'Accept:'", "'Content-Type:'", "--raw 'x'"),
    });
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
    ['/a/./b', { curl: "--request-target '/a/./b' ''", sentByPython: true }],
    ['/a/..', { curl: "--request-target '/a/..' ''", sentByPython: true }],
    ['/a/..?b', { curl: "--request-target '/a/..?b' ''", sentByPython: true }],
    ['/a/.../b', { curl: "'/a/.../b'", sentByFetch: true, sentByPython: true }],
    ['//a', { curl: "--request-target '//a' ''", sentByFetch: true }],
    ['/[1-3]', { curl: "--request-target '/[1-3]' ''", sentByFetch: true }],
    ['/{a}', { curl: "--request-target '/{a}' ''" }],
    ['/%zz', { curl: "'/%zz'", sentByFetch: true }],
    ['/a#b', { curl: "--request-target '/a#b' ''" }],
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
  const request = {
    method: 'PUT',
    url: 'https://a.example/token/?code=••••••••',
    headers: [
      ['Host', 'a.example'],
      ['Authorization', 'Bearer ••••••••'],
      ['Proxy', 'Basic ••••••••'],
      ['Accept-Encoding', 'gzip'],
      ['X-Key', 'a••••••••b'],
      ['X-Quote', "it's"],
    ] satisfies HeaderList,
    body: '{"password":"••••••••","n":"it\'s"}',
  };

  it('takes each secret from a variable', () => {
    expect(Object.fromEntries(copyTools.map((tool) => [tool, requestCode(tool, request)]))).toEqual({
      cURL: command(
        'curl -X PUT "https://a.example/token/?code=$CODE"',
        '-H "Authorization: Bearer $ACCESS_TOKEN"',
        '-H "Proxy: Basic $CLIENT_CREDENTIALS_BASE64"',
        // $SECRETb would be another variable.
        `-H 'X-Key: a'"$SECRET"'b'`,
        `-H 'X-Quote: it'\\''s'`,
        '--compressed',
        `--data-raw '{"password":"'"$PASSWORD"'","n":"it'\\''s"}'`,
      ),
      fetch: lines(
        'const response = await fetch("https://a.example/token/?code=" + process.env.CODE, {',
        '  method: "PUT",',
        '  headers: {',
        '    "Authorization": "Bearer " + process.env.ACCESS_TOKEN,',
        '    "Proxy": "Basic " + process.env.CLIENT_CREDENTIALS_BASE64,',
        '    "X-Key": "a" + process.env.SECRET + "b",',
        '    "X-Quote": "it\'s",',
        '  },',
        '  body: "{\\"password\\":\\"" + process.env.PASSWORD + "\\",\\"n\\":\\"it\'s\\"}",',
        '});',
        'console.log(response.status, await response.text());',
      ),
      HTTPie: command(
        'http --ignore-stdin PUT "https://a.example/token/?code=$CODE"',
        '"Authorization:Bearer $ACCESS_TOKEN"',
        '"Proxy:Basic $CLIENT_CREDENTIALS_BASE64"',
        `'X-Key:a'"$SECRET"'b'`,
        `'X-Quote:it'\\''s'`,
        `--raw '{"password":"'"$PASSWORD"'","n":"it'\\''s"}'`,
      ),
      Python: lines(
        'import os',
        '',
        'import requests',
        '',
        'response = requests.request(',
        '    "PUT",',
        '    "https://a.example/token/?code=" + os.environ["CODE"],',
        '    headers={',
        '        "Authorization": "Bearer " + os.environ["ACCESS_TOKEN"],',
        '        "Proxy": "Basic " + os.environ["CLIENT_CREDENTIALS_BASE64"],',
        '        "X-Key": "a" + os.environ["SECRET"] + "b",',
        '        "X-Quote": "it\'s",',
        '    },',
        '    data="{\\"password\\":\\"" + os.environ["PASSWORD"] + "\\",\\"n\\":\\"it\'s\\"}",',
        '    timeout=30,',
        ')',
        'print(response.status_code, response.text)',
      ),
    });
  });

  it('without body, secrets, and encoding is short', () => {
    const read = { method: 'GET', url: 'https://a.example/', headers: [] };
    expect(Object.fromEntries(copyTools.map((tool) => [tool, requestCode(tool, read)]))).toEqual({
      cURL: "curl 'https://a.example/'",
      fetch: lines(
        'const response = await fetch("https://a.example/", {',
        '  method: "GET",',
        '  headers: {',
        '  },',
        '});',
        'console.log(response.status, await response.text());',
      ),
      HTTPie: "http --ignore-stdin GET 'https://a.example/'",
      Python: lines(
        'import requests',
        '',
        'response = requests.request(',
        '    "GET",',
        '    "https://a.example/",',
        '    headers={',
        '    },',
        '    timeout=30,',
        ')',
        'print(response.status_code, response.text)',
      ),
    });
    expect(requestCode('cURL', { ...read, method: 'DELETE' })).toBe("curl -X DELETE 'https://a.example/'");
    expect(requestCode('cURL', { ...read, body: '' })).toBe(
      command("curl -X GET 'https://a.example/'", "--data-raw ''"),
    );
    expect(requestCode('Python', { ...read, body: '' })).toContain('    data="",');
    expect(requestCode('cURL', { ...read, body: '••••••••' })).toContain('--data-raw "$SECRET"');
    expect(requestCode('cURL', { ...read, body: 'a=••••••••&b=••••••••' })).toContain('--data-raw "a=$A&b=$B"');
  });
});
