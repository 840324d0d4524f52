// Ed25519 signatures of callbacks, against the examples of RFC 8032 (section 7.1) and RFC 8037 (appendix A).
import { describe, expect, it } from 'vitest';
import { createAsymmetricSigner } from '#service/monitors/delivery/signing.ts';

const keyOf = (hex: string) => `whsk_${Buffer.from(hex, 'hex').toString('base64')}`;
const first = keyOf('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
const second = keyOf('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
const signatureOfNothing =
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';
const signatureOfR =
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';

const hexOf = (entry = '') => Buffer.from(entry.replace(/^v1a,/, ''), 'base64').toString('hex');

describe('the signer of the service', () => {
  it('signs with each of its keys, in order', () => {
    const signer = createAsymmetricSigner([first, second]);
    const [ofFirst, ...others] = signer.sign('');
    expect(ofFirst).toMatch(/^v1a,/);
    expect(hexOf(ofFirst)).toBe(signatureOfNothing);
    expect(others).toHaveLength(1);
    expect(hexOf(signer.sign('r')[1])).toBe(signatureOfR);
  });

  it('publishes its keys', () => {
    expect(createAsymmetricSigner([first]).keySet).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          use: 'sig',
          alg: 'EdDSA',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        },
      ],
    });
  });
});
