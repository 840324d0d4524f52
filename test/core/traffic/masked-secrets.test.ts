// What is masked in a request's log (core/traffic): a secret comes back in another form than it was sent (RFC 3986 §2.1, the form of
// the URL standard, JSON), and is none the less masked.
import { describe, expect, test } from 'vitest';
import { maskerFor, plainMasker } from '#core/traffic/mask.ts';
import { maskText } from '#shared/text/mask-text.ts';

const namesIn = (text: string) => text.trim().split(/\s+/);
const token = (body: string) => maskerFor({ kind: 'token', headers: [], body });

describe('a secret that a form carried', () => {
  test.each([
    ['as it was sent', 's%26cret+word', 's%26cret+word'],
    ['with %20 for a space', 's%26cret+word', 's%26cret%20word'],
    ['with + for a space', 's%26cret%20word', 's%26cret+word'],
    ['plain', 's%26cret+word', 's&cret word'],
    ['plain, although JSON writes it otherwise', 's%22cret%5Cword', String.raw`s"cret\word`],
    ['in JSON', 's%22cret%5Cword', String.raw`s\"cret\\word`],
    ['with its mark as it is', 's%21cret%20word', 's!cret%20word'],
    ['with its mark encoded', 's!cret word', 's%21cret%20word'],
    ['with its mark encoded as in a form', 's!cret word', 's%21cret+word'],
  ])('is masked %s', (_, sent, echoed) => {
    const { text, url, headers } = token(`client_secret=${sent}`);
    expect(text(`a ${echoed} b`)).toBe(`a ${maskText} b`);
    expect(url(`https://a.example/?x=${echoed}&y=1`)).toBe(`https://a.example/?x=${maskText}&y=1`);
    expect(headers([['X-Echo', echoed]])).toEqual([['X-Echo', maskText]]);
  });

  test('is masked from 6 characters on, the longest first', () => {
    expect(token('password=12345').text('a 12345')).toBe('a 12345');
    expect(token('password=123456').text('a 123456')).toBe(`a ${maskText}`);
    expect(token('password=123456&code=1234567').text('1234567 123456')).toBe(`${maskText} ${maskText}`);
    expect(token('scope=post_metag&grant_type=password').text('post_metag password')).toBe('post_metag password');
  });
});

test('credentials of a header are masked with their parts', () => {
  const basic = (pair: string) =>
    maskerFor({ headers: [['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`]] });
  const { text, headers } = basic('client:s%26cret+word');
  expect(text(`client ${Buffer.from('client:s%26cret+word').toString('base64')}`)).toBe(`client ${maskText}`);
  for (const echoed of ['s%26cret+word', 's&cret word', 's%26cret%20word']) expect(text(echoed)).toBe(maskText);
  expect(
    headers([
      ['authorization', 'Basic abc'],
      ['Cookie', 'a'],
    ]),
  ).toEqual([
    ['authorization', `Basic ${maskText}`],
    ['Cookie', maskText],
  ]);
  expect(maskerFor({ headers: [['authorization', 'Bearer abcdef']] }).text('abcdef')).toBe(maskText);
});

test('a text without a request loses what its names say is secret', () => {
  expect(plainMasker.text('{"access_token": "a\\"b", "x": "y"}')).toBe(`{"access_token": "${maskText}", "x": "y"}`);
  expect(plainMasker.url('/a?token=abc&b=c#code=d')).toBe(`/a?token=${maskText}&b=c#code=${maskText}`);
});

// Names of headers, parameters, and members with secrets, as services document them.
test.each(
  namesIn(`
  Authorization-Token Proxy-Authorization Cookie Set-Cookie X-API-Key Api-Key X-Auth X-Auth-Token X-Gitlab-Token
  X-Goog-Iam-Authorization-Token X-Telegram-Bot-Api-Secret-Token X-Amz-Security-Token Ocp-Apim-Subscription-Key
  X-Shopify-Access-Token X-Webhook-Secret X-Password
`),
)('the value of the header %s is masked', (name) => {
  expect(plainMasker.headers([[name, 'hush']])).toEqual([[name, maskText]]);
});

test.each(
  namesIn(`
  Webhook-Id Webhook-Signature Webhook-Timestamp X-Hub-Signature-256 WWW-Authenticate Host Author Content-Type
  User-Agent RateLimit-Policy
`),
)('the value of the header %s is not masked', (name) => {
  expect(plainMasker.headers([[name, 'shown']])).toEqual([[name, 'shown']]);
});

test.each(
  namesIn(`
  sig api_key apikey api-key key code token X-Amz-Signature X-Goog-Signature client_secret
`),
)('the parameter %s is masked', (name) => {
  expect(plainMasker.url(`https://a.example/b?x=1&${name}=hush%20hush&y=2`)).toBe(
    `https://a.example/b?x=1&${name}=${maskText}&y=2`,
  );
});

test.each(
  namesIn(`
  token api_key apiKey accessToken refresh-token client_secret password x.secret id_token
`),
)('the member %s of JSON is masked', (name) => {
  expect(plainMasker.text(`{"${name}":"hush","x":"y"}`)).toBe(`{"${name}":"${maskText}","x":"y"}`);
});

test('what only looks like a secret is not masked', () => {
  const text = '{"code":"a","key":"b","token_type":"c","tokens":3,"signature":"d"} monkey=e tokenizer=f design=g';
  expect(plainMasker.text(text)).toBe(text);
});

test('webhook secrets are masked wherever they are', () => {
  const text =
    'use whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw or whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==!';
  expect(plainMasker.text(text)).toBe(`use ${maskText} or ${maskText}!`);
});
