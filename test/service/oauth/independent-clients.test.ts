// OAuth clients of others complete the grants that they know, unchanged: oauth4webapi, openid-client, simple-oauth2.
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2';
import { expect, test } from 'vitest';
import { createAgent, decisionAction, signInAction } from './dialog-browser.ts';
import { type OAuthService, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

/** The user's part: signs in, allows it, and hands over the address that the browser is sent to. */
async function allow({ baseUrl }: OAuthService, address: string): Promise<URL> {
  const agent = createAgent(baseUrl);
  const opened = await agent.get(address);
  const signedIn = await agent.submit(opened, signInAction, { username: carol.username, password: carol.password });
  const consent = await agent.get(signedIn.location ?? '');
  const answer = await agent.submit(consent, decisionAction, { decision: 'approve' });
  return new URL(answer.location ?? '');
}

const insecure = { [oauth.allowInsecureRequests]: true };

test('oauth4webapi: metadata, code with PKCE, refresh, revocation', async () => {
  const service = await startOAuthService();
  const { clientId, clientSecret, redirectUri } = await registerApplication(service);
  const issuer = new URL(service.baseUrl);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const client: oauth.Client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(server.authorization_endpoint ?? '');
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'post_metag',
    state: 'the state',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const parameters = oauth.validateAuthResponse(server, client, await allow(service, address.href), 'the state');
  const grant = [server, client, oauth.ClientSecretBasic(clientSecret)] as const;
  const response = await oauth.authorizationCodeGrantRequest(...grant, parameters, redirectUri, verifier, insecure);
  const token = await oauth.processAuthorizationCodeResponse(server, client, response);
  expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  const again = await oauth.refreshTokenGrantRequest(...grant, token.refresh_token ?? '', insecure);
  const { access_token: refreshed } = await oauth.processRefreshTokenResponse(server, client, again);
  await oauth.processRevocationResponse(await oauth.revocationRequest(...grant, refreshed, insecure));
  const url = new URL(`${service.baseUrl}/v2/probe`);
  await expect(
    oauth.protectedResourceRequest(refreshed, 'GET', url, undefined, undefined, insecure),
  ).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
});

test('openid-client: discovery, code, refresh, client credentials, and the implicit answer', async () => {
  const service = await startOAuthService();
  // openid-client takes the address that it is given back, without its query, for the redirect address.
  const application = await registerApplication(service, { redirectUris: ['https://app.example.org/callback'] });
  const config = await openid.discovery(
    new URL(service.baseUrl),
    application.clientId,
    application.clientSecret,
    undefined,
    {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    },
  );
  const parameters = { redirect_uri: application.redirectUri, scope: 'post_metag', state: 'abc' };
  const answer = await allow(service, openid.buildAuthorizationUrl(config, parameters).href);
  const token = await openid.authorizationCodeGrant(config, answer, { expectedState: 'abc' });
  // It counts down in whole seconds from the response on.
  expect(token.expiresIn()).toBeGreaterThan(3500);
  expect(token.expires_in).toBe(3600);
  expect((await openid.refreshTokenGrant(config, token.refresh_token ?? '')).access_token).toHaveLength(43);
  expect((await openid.clientCredentialsGrant(config)).access_token).toHaveLength(43);
  const implicit = await allow(
    service,
    openid.buildAuthorizationUrl(config, { ...parameters, response_type: 'token' }).href,
  );
  expect(Object.fromEntries(new URLSearchParams(implicit.hash.slice(1)))).toMatchObject({
    state: 'abc',
    expires_in: '3600',
  });
});

test('simple-oauth2: code, client credentials, password, refresh', async () => {
  const service = await startOAuthService();
  const application = await registerApplication(service, { allowsPassword: true });
  const client = { id: application.clientId, secret: application.clientSecret };
  const auth = { tokenHost: service.baseUrl, tokenPath: '/token/', revokePath: '/token/revoke/' };
  const code = new AuthorizationCode({ client, auth: { ...auth, authorizePath: '/oauth/authorize/' } });
  const where = { redirect_uri: application.redirectUri, scope: 'post_metag' };
  const answer = await allow(service, code.authorizeURL({ ...where, state: 'abc' }));
  const token = await code.getToken({ code: answer.searchParams.get('code') ?? '', ...where });
  expect(token.token['token_type']).toBe('bearer');
  expect((await token.refresh()).token['access_token']).toHaveLength(43);
  await token.revokeAll();
  expect((await new ClientCredentials({ client, auth }).getToken({})).token['access_token']).toHaveLength(43);
  const password = await new ResourceOwnerPassword({ client, auth }).getToken({ ...carol, scope: 'post_metag' });
  expect(password.token['expires_in']).toBe(3600);
});
