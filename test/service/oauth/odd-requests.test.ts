// Requests to the token endpoint that no library sends, over a bare socket: each gets an answer in the form of RFC 6749.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { basic, type OAuthService, startOAuthService } from './oauth-service.ts';

/** Sends the lines as they are and returns status line, headers and body. */
function exchange({ baseUrl }: OAuthService, lines: readonly string[], body: string): Promise<string> {
  const { hostname, port, host } = new URL(baseUrl);
  const head = ['POST /token/ HTTP/1.1', `Host: ${host}`, 'Connection: close', ...lines].join('\r\n');
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`));
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

const body = 'grant_type=client_credentials';
const length = `Content-Length: ${body.length}`;

test.each([
  ['Application/WWW-Form-URLEncoded', '200 OK'],
  ['application/x-www-form-urlencoded;charset=utf-8', '200 OK'],
  ['application/www-form-urlencoded ; charset="UTF-8"', '200 OK'],
  ['text/plain', '400 Bad Request'],
  ['multipart/form-data; boundary=x', '400 Bad Request'],
  ['nonsense', '400 Bad Request'],
])('a body of type %s is answered %s', async (type, status) => {
  const service = await startOAuthService();
  const authorization = `Authorization: ${basic(service.sandbox.clientId, service.sandbox.clientSecret)}`;
  const answer = await exchange(service, [authorization, `Content-Type: ${type}`, length], body);
  expect(answer.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
  expect(answer).toContain(status === '200 OK' ? '"token_type":"bearer"' : '"error":"invalid_request"');
});

test('a NUL, a body without a type, and no body at all, are answered 400 invalid_request', async () => {
  const service = await startOAuthService();
  const authorization = `Authorization: ${basic(service.sandbox.clientId, service.sandbox.clientSecret)}`;
  for (const [lines, sent] of [
    [['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 40'], `${body}&scope=a%00`],
    [[length], body],
    [['Content-Length: 0'], ''],
    [[], ''],
  ] as const) {
    const answer = await exchange(service, [authorization, ...lines], sent);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"error":"invalid_request"');
    expect(answer.toLowerCase()).toContain('cache-control: no-store');
  }
});

test('a chunked form is read', async () => {
  const service = await startOAuthService();
  const authorization = `Authorization: ${basic(service.sandbox.clientId, service.sandbox.clientSecret)}`;
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const chunks = `a\r\n${body.slice(0, 10)}\r\n${(body.length - 10).toString(16)}\r\n${body.slice(10)}\r\n0\r\n\r\n`;
  expect(await exchange(service, [authorization, type, 'Transfer-Encoding: chunked'], chunks)).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test('bytes that are not text in a form are refused without a trace of them in the response', async () => {
  const service = await startOAuthService();
  const authorization = `Authorization: ${basic(service.sandbox.clientId, service.sandbox.clientSecret)}`;
  const odd = 'grant_type=%FF%FE<script>"\\';
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const answer = await exchange(service, [authorization, type, `Content-Length: ${odd.length}`], odd);
  expect(answer).toContain('"error":"unsupported_grant_type"');
  expect(answer).not.toContain('<script');
});
