// A forecast's request as commands and code, or with its response as a HAR. The token stays masked.
import type { Forecast, HeaderList } from '@rainbell/contract/app-rpc';
import { type CopyTool, copyTools, requestCode } from '../../../viewers/request-code.ts';

export const copyFormats = [...copyTools, 'HAR'] as const;

export function copyRequestAs(format: CopyTool | 'HAR', forecast: Forecast): string {
  return format === 'HAR' ? JSON.stringify(harOf(forecast), null, 2) : requestCode(format, forecast.request);
}

/** HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/ */
function harOf({ request, response, fetchedAt, tookMs }: Forecast): object {
  const pairs = (headers: HeaderList) => headers.map(([name, value]) => ({ name, value }));
  const started = new Date(Date.parse(fetchedAt) - tookMs).toISOString();
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    log: {
      version: '1.2',
      creator: { name: 'Rainbell', version: '1' },
      entries: [
        {
          startedDateTime: started,
          time: tookMs,
          request: {
            method: request.method,
            url: request.url,
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: pairs(request.headers),
            queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
            headersSize: -1,
            bodySize: 0,
          },
          response: {
            status: response.status,
            statusText: '',
            httpVersion: 'HTTP/1.1',
            cookies: [],
            headers: pairs(response.headers),
            content: { size: response.sizeBytes, mimeType: type, text: response.bodyText },
            redirectURL: '',
            headersSize: -1,
            bodySize: response.sizeBytes,
          },
          cache: {},
          timings: { send: 0, wait: tookMs, receive: 0 },
        },
      ],
    },
  };
}
