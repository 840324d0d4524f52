// The model of a webhook sender: how its requests are recognized, signed, and answered. The rows are in sender-rows.ts.

/**
 * The location of a value: `header:x-y`, `json:a.0.b` (numbers are indexes), `query:q`, `form:f`; `item:a.b` in an item of `each`; `sig:k` in
 * the list of the signature header; `key:a|b` is the name of the first of these JSON members that exists.
 */
export type Ref = `${'header' | 'json' | 'query' | 'form' | 'item' | 'sig' | 'key'}:${string}`;

/**
 * What must hold: `header:x` is present, `!header:x` is absent, `json:a=b` equals, `header:x^p` begins with, `header:x~p` contains,
 * `method=GET`. ` & ` joins conditions that must all hold, and ` / ` alternatives.
 */
export type Condition = string;

/**
 * A text with tokens: `{body}` `{method}` `{url}` `{path}` `{secret}` `{time}` (the timestamp as sent) and any Ref; `{item:x?}` may be
 * missing. `{url:port}` and `{url:noport}` write the port or leave it out, `{url:decoded}` undoes percent-encoding,
 * `{form:*sorted}` is each field's name and value, sorted by name, and `{sha256hex:body}` the body's hash.
 */
export type Template = string;

export type Algorithm =
  | `hmac-${'sha1' | 'sha256' | 'sha384' | 'sha512'}`
  | 'sha256'
  | 'ed25519'
  | 'ecdsa-sha256'
  /** The value itself is the secret. */
  | 'equals'
  /** Needs a download or the sender's API, so it is not checked. */
  | 'external';

export type Encoding = 'hex' | 'base64' | 'text';

export type Timestamp = {
  /** The first that exists. */
  at: readonly Ref[];
  unit: 's' | 'ms' | 'iso';
  /** In seconds; null: the sender states none. */
  tolerance: number | null;
  /** A time in the future is accepted, as the sender's own library does. */
  isPastOnly?: true;
};

/** Without a value: HMAC-SHA256 of the body, in hexadecimal digits, and the secret's text is the key. */
export type Scheme = {
  when?: Condition;
  /** Uses only secrets with this prefix. */
  forSecret?: string;
  /** Neither stronger nor weaker than the scheme before: either may verify. */
  isPeer?: true;
  /** JSON path of a list. Every item is verified, and there must be one. */
  each?: string;
  /** The first that exists; `header:x-*` stands for numbered headers. */
  sig: readonly Ref[];
  prefix?: string;
  /** A list of entries, each `key` + `eq` + value, between any of the characters of `sep`; other keys are skipped. */
  list?: { sep: string; eq: string; key: string };
  alg?: Algorithm;
  enc?: Encoding;
  /** The sender's libraries compare the signature as text. */
  isExact?: true;
  /** Equivalent forms are tried in order. */
  content?: Template | readonly Template[];
  /** Two texts that must be equal, too. */
  also?: readonly [Template, Template];
  key?: { enc?: Encoding; strip?: readonly string[] };
  timestamp?: Timestamp;
  /** What a valid signature proves, if `content` does not show it. */
  proves?: string;
};

export type Handshake = {
  when: Condition;
  /** Any request could look like this, so the endpoint's sender must be chosen. */
  isChosenOnly?: true;
  /** Only if its signature is valid; otherwise this status. */
  unlessValid?: number;
  /** Must equal the endpoint's verify token; otherwise 403. */
  token?: Ref;
  status?: number;
  headers?: Readonly<Record<string, Template>>;
  body?: Template;
  /** A JSON body: each member's value. `{hmac:…}` is of a Ref, with the endpoint's secret. */
  json?: Readonly<Record<string, Template | number>>;
  /** What the user must do, as a sentence. */
  manual?: Template;
};

export type SenderProfile = {
  id: string;
  name: string;
  match: Condition;
  /** The first whose signature is present decides; there is no way back to a weaker one. */
  schemes: readonly Scheme[];
  eventId?: readonly Ref[];
  /** `a+b` joins two with a period. */
  eventType?: readonly string[];
  handshakes?: readonly Handshake[];
  /** The sender tests its receivers with wrong signatures and requires this status. */
  onInvalid?: 401;
  /** The sender's name for the secret, if not “signing secret”. */
  secretName?: string;
  /** The rule was not confirmed by a published text. */
  isUnconfirmed?: true;
};
