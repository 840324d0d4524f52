// The operations of token-routes.ts and of the metadata, as openapi.json and the documentation pages show them.
import { z } from 'zod';
import { documentedFormType, grantTypes, standardFormType } from '@rainbell/contract/service-api';
import type { Operation } from '../http/operation.ts';

export const tokenAnswerSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('seconds'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});
export const tokenFormSchema = z.object({
  grant_type: z.enum(grantTypes),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  client_id: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  code_verifier: z.string().optional(),
});
const oneTokenSchema = z.object({ token: z.string(), token_type_hint: z.string().optional() });

export const getToken: Operation = {
  id: 'get-token',
  group: 'Access',
  title: 'Get an access token',
  description:
    'Exchanges credentials, a code, a password, or a refresh token for an access token. Confidential clients send ' +
    'Authorization: Basic with client_id:client_secret; public ones send client_id. The body is a form, as ' +
    'application/www-form-urlencoded or application/x-www-form-urlencoded.',
  body: {
    type: standardFormType,
    otherTypes: [documentedFormType],
    schema: tokenFormSchema,
    example: 'grant_type=client_credentials',
  },
  responses: [
    {
      status: 200,
      meaning: 'An access token, its lifetime in seconds, and a refresh token.',
      schema: tokenAnswerSchema,
    },
  ],
  access: 'client',
};

export const revokeToken: Operation = {
  id: 'revoke-token',
  group: 'Access',
  title: 'Revoke a token',
  description:
    'Revokes an access token, or a refresh token and all access tokens from the same authorization (RFC 7009). Unknown tokens are ' +
    'not an error.',
  body: {
    type: standardFormType,
    otherTypes: [documentedFormType],
    schema: oneTokenSchema,
    example: 'token=ACCESS_TOKEN',
  },
  responses: [{ status: 200, meaning: 'The token is no longer valid.', schema: z.object({}) }],
  access: 'client',
};

export const getMetadata: Operation = {
  id: 'get-metadata',
  group: 'Access',
  title: 'Get the server metadata',
  description: 'The URLs and capabilities of the OAuth endpoints (RFC 8414).',
  responses: [{ status: 200, meaning: 'The metadata.', schema: z.looseObject({ issuer: z.string() }) }],
  access: 'none',
};
