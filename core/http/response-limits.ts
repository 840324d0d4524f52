// How large each kind of response may be. A forecast has 73 points and the largest plan 5,000 monitors, so what goes beyond
// these limits is a broken or hostile service, or not the API at all.

export type ResponseLimit = {
  /** Names the response in an error, as in "for a forecast". */
  what: string;
  /** Length of the decoded body. */
  bytes: number;
  /** Entries of `objects`. */
  items: number;
};

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

export const responseLimits = {
  /** `GET /v2/weather/`: about 50 KB in 73 points; other services may add members. */
  forecast: { what: 'a forecast', bytes: 4 * megabyte, items: 500 },
  /** `GET /v2/monitors/`: 5,000 monitors whose callback URLs have the longest allowed length are 12 MB. */
  monitors: { what: 'the list of monitors', bytes: 16 * megabyte, items: 20_000 },
  deliveryStates: { what: 'the delivery status of all monitors', bytes: 16 * megabyte, items: 20_000 },
  events: { what: 'the record of events', bytes: 8 * megabyte, items: 500 },
  /** `GET /v2/deliveries/`: a page of events, each with a Monitor as its body. */
  feed: { what: 'the event feed', bytes: 8 * megabyte, items: 500 },
  token: { what: 'a token response', bytes: 64 * kilobyte, items: 1 },
  metadata: { what: 'the authorization server metadata', bytes: 64 * kilobyte, items: 1 },
  icon: { what: 'an icon', bytes: 256 * kilobyte, items: 1 },
  /** One monitor, a test event, the sandbox's state. */
  other: { what: 'a response', bytes: 256 * kilobyte, items: 1000 },
} as const satisfies Record<string, ResponseLimit>;

/** How much is kept of the body of an error; its status matters more, so a longer one is cut instead of refused. */
export const errorBodyBytes = 64 * kilobyte;

/** The limit for the response to an API call; `path` may have a query. */
export function limitFor(path: string): ResponseLimit {
  const [name = ''] = path.split('?', 1);
  if (name === '/v2/weather/') return responseLimits.forecast;
  if (name === '/v2/monitors/') return responseLimits.monitors;
  if (name === '/v2/delivery/') return responseLimits.deliveryStates;
  if (name === '/v2/deliveries/') return responseLimits.feed;
  return name === '/v2/events/' ? responseLimits.events : responseLimits.other;
}
