// Whatever a token endpoint or a dialog answers: a token that a header can carry, or one distinct refusal with a message.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { type ReceivedToken, readTokenResponse } from '#core/tokens/token-response.ts';
import { readRedirect } from '#core/session/authorization-response.ts';
import { oddJsonText } from './odd-json.ts';
import { responseDouble } from '#test/core/connection-double.ts';

const members = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'error', 'id_token'];
const contentType = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/html',
  '',
  'application/json; charset=x',
);

it('a token answer is read, or refused as a breach of the protocol', () => {
  fc.assert(
    fc.property(oddJsonText(members), contentType, (text, type) => {
      const outcome = outcomeOf(text, type);
      if (outcome instanceof AppFailure) return;
      expect(outcome.accessToken).toMatch(/^[\x21-\x7E]+$/);
      expect(outcome.expiresInSeconds ?? 0).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1_000 },
  );
});

/** Any error except a refusal with a message is rethrown, and fails the property. */
function outcomeOf(text: string, type: string): ReceivedToken | AppFailure {
  try {
    return readTokenResponse(responseDouble({ headers: [['content-type', type]], body: Buffer.from(text) }));
  } catch (error) {
    if (error instanceof AppFailure) return error;
    throw error;
  }
}

const state = 'the-state-of-this-attempt';
const parameter = fc.tuple(
  fc.constantFrom('code', 'state', 'access_token', 'error', 'error_description', 'id_token', 'x'),
  fc.oneof(fc.constant(state), fc.string({ unit: anyCharacter, maxLength: 30 })),
);
const issuer = { accepted: ['https://weather.example'], isRequired: false };
const parameters = fc.array(parameter, { maxLength: 6 }).map((all) => new URLSearchParams(all).toString());

it('a redirect without exactly our state is never taken for an answer', () => {
  fc.assert(
    fc.property(parameters, parameters, fc.constantFrom('code', 'token'), (query, fragment, responseType) => {
      const url = `http://127.0.0.1/callback?${query}#${fragment}`;
      const answer = readRedirect(url, { state, responseType, issuer });
      const states = [...new URLSearchParams(query), ...new URLSearchParams(fragment)].filter(
        ([name]) => name === 'state',
      );
      const isOurs = states.length === 1 && states[0]?.[1] === state;
      expect(answer.kind === 'wrong-state').toBe(!isOurs);
    }),
    { numRuns: 2_000 },
  );
});

it('no text at all breaks the reading of a redirect', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(['unusable', 'wrong-state']).toContain(readRedirect(text, { state, responseType: 'code', issuer }).kind);
    }),
  );
});
