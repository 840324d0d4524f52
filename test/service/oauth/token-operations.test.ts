// How the OAuth endpoints are documented.
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as operations from '#service/oauth/token-operations.ts';

test('the endpoints are documented with their fields, both form types, and working examples', () => {
  const fieldsOf = (schema: z.ZodType | undefined) => {
    const { properties = {}, required = [] } = schema ? z.toJSONSchema(schema) : {};
    const described = Object.entries(properties).map(([name, value]) => {
      const description = typeof value === 'object' ? value.description : undefined;
      return `${name}${required.includes(name) ? '' : '?'}${description === undefined ? '' : ` (${description})`}`;
    });
    return described.join(' ');
  };
  const { getToken, revokeToken, getMetadata } = operations;
  const shown = [getToken, revokeToken, getMetadata].map((operation) => ({
    id: operation.id,
    group: operation.group,
    access: operation.access,
    body: operation.body && [operation.body.type, operation.body.otherTypes, operation.body.example],
    fields: fieldsOf(operation.body?.schema),
    responses: operation.responses.map(({ status, schema }) => `${status} ${fieldsOf(schema)}`),
  }));
  const form = (example: string) => ['application/x-www-form-urlencoded', ['application/www-form-urlencoded'], example];
  const client = { group: 'Access', access: 'client' };
  expect(shown).toEqual([
    {
      ...client,
      id: 'get-token',
      body: form('grant_type=client_credentials'),
      fields: 'grant_type code? redirect_uri? client_id? username? password? refresh_token? scope? code_verifier?',
      responses: ['200 access_token token_type expires_in (seconds) refresh_token? scope?'],
    },
    {
      ...client,
      id: 'revoke-token',
      body: form('token=ACCESS_TOKEN'),
      fields: 'token token_type_hint?',
      responses: ['200 '],
    },
    { id: 'get-metadata', group: 'Access', access: 'none', body: undefined, fields: '', responses: ['200 issuer'] },
  ]);
  const bearer = { access_token: 'a', token_type: 'bearer', expires_in: 1 };
  expect(operations.tokenAnswerSchema.safeParse(bearer).success).toBe(true);
  expect(operations.tokenAnswerSchema.safeParse({ ...bearer, token_type: '' }).success).toBe(false);
});
