// OAuth 2.0 messages (docs/interface.md §4.2, RFC 6749 §5).
/** Success body of the token endpoint; `expires_in` is in seconds. */
export type TokenResponse = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  refresh_token?: string;
  scope?: string;
};

export const grantTypes = ['authorization_code', 'client_credentials', 'password', 'refresh_token'] as const;
export type GrantType = (typeof grantTypes)[number];

/** Grant type of an access token. It survives a refresh because monitors require it (docs/interface.md §5.7). */
export const grantKinds = ['authorization_code', 'implicit', 'client_credentials', 'password'] as const;
export type GrantKind = (typeof grantKinds)[number];

/** docs/interface.md §5.5: the only scope. */
export const knownScopes = ['post_metag'] as const;

/** The content type of the interface (docs/interface.md §4.2), and that of RFC 6749. Services may support either. */
export const documentedFormType = 'application/www-form-urlencoded';
export const standardFormType = 'application/x-www-form-urlencoded';
