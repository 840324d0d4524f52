// Which addresses are the answer to a registered redirect address, and where the OAuth window may go at all.
import { describe, expect, it } from 'vitest';
import { isRedirectTo, mayLoad } from '#electron/sign-in/redirect-match.ts';

describe('the answer to http://127.0.0.1:7777/callback (docs/tokens.md T1)', () => {
  const redirectUri = 'http://127.0.0.1:7777/callback';

  it.each([
    'http://127.0.0.1:7777/callback?state=s&code=c',
    'http://127.0.0.1:7777/callback#access_token=t',
    'http://127.0.0.1:7777/callback',
  ])('is %s', (address) => {
    expect(isRedirectTo(redirectUri, address)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:7777.evil.test/callback?code=c',
    'http://127.0.0.1:7777/callback/extra?code=c',
    'http://127.0.0.1:7778/callback?code=c',
    'https://127.0.0.1:7777/callback?code=c',
    'http://127.0.0.1:7777@evil.test/callback?code=c',
    'http://user@127.0.0.1:7777/callback?code=c',
    'http://localhost:7777/callback?code=c',
    'http://login.test/?redirect_uri=http://127.0.0.1:7777/callback&code=c',
    'http://127.0.0.1:7777/CALLBACK?code=c',
    'not an address',
  ])('is not %s', (address) => {
    expect(isRedirectTo(redirectUri, address)).toBe(false);
  });
});

describe('other redirect addresses (docs/tokens.md T1)', () => {
  it.each([
    ['com.example.app:/cb', 'com.example.app:/cb?code=c', true],
    ['com.example.app:/cb', 'com.example.app.evil:/cb?code=c', false],
    ['com.example.app:/cb', 'com.example.app://cb?code=c', false],
    ['rainbell://signed-in', 'rainbell://signed-in?code=c', true],
    ['rainbell://signed-in', 'rainbell://signed-in-elsewhere?code=c', false],
    ['https://app.example/cb?tenant=1', 'https://app.example/cb?tenant=1&code=c', true],
    ['https://app.example/cb?tenant=1', 'https://app.example/cb?code=c', false],
    ['https://app.example/cb?tenant=1', 'https://app.example/cb?tenant=2&code=c', false],
    ['https://app.example', 'https://app.example/?code=c', true],
    ['https://app.example:443/cb', 'https://app.example/cb?code=c', true],
  ])('%s is answered by %s: %s', (redirectUri, address, isAnswer) => {
    expect(isRedirectTo(redirectUri, address)).toBe(isAnswer);
  });
});

describe('the OAuth window', () => {
  it.each([
    ['https://signin.example/', true],
    ['http://127.0.0.1:8420/', true],
    ['http://localhost:8420/', true],
    ['http://signin.example/', false],
    ['http://127.0.0.1.evil.test/', false],
    ['http://localhost.evil.test/', false],
    ['javascript:alert(1)', false],
    ['com.example.app:/other', false],
    ['', false],
  ])('may go to %s: %s', (address, isAllowed) => {
    expect(mayLoad(address)).toBe(isAllowed);
  });
});
