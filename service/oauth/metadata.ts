// The authorization server metadata (RFC 8414).
import { grantTypes, knownScopes } from '@rainbell/contract/service-api';

export function authorizationServerMetadata(baseUrl: string) {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize/`,
    token_endpoint: `${baseUrl}/token/`,
    revocation_endpoint: `${baseUrl}/token/revoke/`,
    scopes_supported: [...knownScopes],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...grantTypes, 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/documentation/`,
  };
}
