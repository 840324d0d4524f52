// When two URLs are the same: the equivalences of RFC 3986 section 6, and what is not one.
import { describe, expect, test } from 'vitest';
import { normalTarget, normalUrl } from '#shared/network/same-url.ts';

describe('the same URL', () => {
  test.each([
    ['an empty path', 'https://hooks.example.com', 'https://hooks.example.com/'],
    ['scheme and host in another case', 'HTTPS://Hooks.Example.COM/A', 'https://hooks.example.com/A'],
    ['the default port', 'https://hooks.example.com:443/a', 'https://hooks.example.com/a'],
    ['an empty port', 'http://hooks.example.com:/a', 'http://hooks.example.com/a'],
    ['dot segments', 'https://hooks.example.com/a/../b/./c', 'https://hooks.example.com/b/c'],
    ['hexadecimal digits in another case', 'https://hooks.example.com/a%c3%bc', 'https://hooks.example.com/a%C3%BC'],
    ['encoded unreserved characters', 'https://a.example/%7Etom%2d1?q=%41', 'https://a.example/~tom-1?q=A'],
    ['encoded other characters', 'https://a.example/Zü a?q={b|c}', 'https://a.example/Z%C3%BC%20a?q=%7Bb%7Cc%7D'],
    ['an international host', 'https://zürich.example/', 'https://xn--zrich-kva.example/'],
    ['the example of RFC 3986 section 6.2.2', 'example://a/b/c/%7Bfoo%7D', 'example://a/b/c/%7Bfoo%7D'],
  ])('has %s', (_name, one, other) => {
    expect(normalUrl(one)).toBe(normalUrl(other));
  });

  test.each([
    ['another scheme', 'http://hooks.example.com/', 'https://hooks.example.com/'],
    ['another port', 'https://hooks.example.com:8443/', 'https://hooks.example.com/'],
    ['a path in another case', 'https://hooks.example.com/A', 'https://hooks.example.com/a'],
    ['a slash at the end of a path', 'https://hooks.example.com/a/', 'https://hooks.example.com/a'],
    ['an encoded reserved character', 'https://hooks.example.com/a%2Fb', 'https://hooks.example.com/a/b'],
    ['another query', 'https://hooks.example.com/?a=1', 'https://hooks.example.com/?a=2'],
    ['text that is not a URL', 'this-app', 'This-app'],
  ])('does not have %s', (_name, one, other) => {
    expect(normalUrl(one)).not.toBe(normalUrl(other));
  });

  test('names the target of a request, in each of its forms', () => {
    expect(normalTarget('http://EXAMPLE.com:80/a%7e?b')).toBe('/a~?b');
    expect(normalTarget('/a%7e?b')).toBe('/a~?b');
    expect(normalTarget('//a/b')).toBe('//a/b');
    expect(normalTarget('*')).toBe('*');
  });
});
