// The metadata that the OAuth service publishes about itself (RFC 8414).
import { expect, test } from 'vitest';
import { startOAuthService } from './oauth-service.ts';

test('the metadata are those of RFC 8414, with issuer parameter', async () => {
  const { baseUrl } = await startOAuthService();
  const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  expect(await response.json()).toEqual({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize/`,
    token_endpoint: `${baseUrl}/token/`,
    revocation_endpoint: `${baseUrl}/token/revoke/`,
    scopes_supported: ['post_metag'],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'password', 'refresh_token', 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/documentation/`,
  });
});
