// What a scheme signs of a request's URL.
import { expect, test } from 'vitest';
import { readSenderRequest } from '#core/senders/sender-request.ts';

test.each([
  ['http://a.example/x', 'http://a.example:80/x', 'http://a.example/x'],
  ['HTTPS://a.example?x', 'HTTPS://a.example:443?x', 'HTTPS://a.example?x'],
  ['https://a.example:8443/x', 'https://a.example:8443/x', 'https://a.example/x'],
])('the URL %s has its port in %s, and none in %s', (url, withPort, withoutPort) => {
  const { render } = readSenderRequest({ method: 'POST', url, headers: [], body: Buffer.alloc(0) });
  const text = (template: string) => {
    const rendered = render(template);
    return 'bytes' in rendered ? rendered.bytes.toString() : rendered.missing;
  };
  expect([text('{url:port}'), text('{url:noport}')]).toEqual([withPort, withoutPort]);
});
