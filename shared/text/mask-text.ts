/** Replaces a secret in everything that is stored or shown. */
export const maskText = '••••••••';
