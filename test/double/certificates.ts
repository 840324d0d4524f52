// A certificate that Chromium refuses, as Electron shows it to the app's verifier: read from the host itself, because DevTools
// tell only that there was an error.
import { X509Certificate } from 'node:crypto';
import { connect, type DetailedPeerCertificate } from 'node:tls';

type Certificate = { data: string; subjectName: string; issuerName: string; issuerCert?: Certificate };
type Request = { hostname: string; certificate: Certificate; verificationResult: string; errorCode: number };
export type VerifyCertificate = (request: Request, answer: (verdict: number) => void) => void;

/** Chromium's net errors, by what Node says of the same certificate. */
const errorCodes: Readonly<Record<string, number>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: -200,
  CERT_HAS_EXPIRED: -201,
  CERT_NOT_YET_VALID: -201,
};
const unknownIssuer = -202;

export async function acceptsCertificate(address: string, verify: VerifyCertificate): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const { certificate, errorCode } = await read(hostname, Number(port || 443));
  const verdict = await new Promise<number>((resolve) => {
    verify({ hostname, certificate, verificationResult: `net error ${errorCode}`, errorCode }, resolve);
  });
  return verdict === 0;
}

function read(host: string, port: number): Promise<{ certificate: Certificate; errorCode: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false }, () => {
      const code = (socket.authorizationError as unknown as string | undefined) ?? '';
      resolve({
        certificate: certificateOf(socket.getPeerCertificate(true)),
        errorCode: errorCodes[code] ?? unknownIssuer,
      });
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

function certificateOf(peer: DetailedPeerCertificate): Certificate {
  const isRoot = !peer.issuerCertificate || peer.issuerCertificate.fingerprint256 === peer.fingerprint256;
  return {
    data: new X509Certificate(peer.raw).toString(),
    subjectName: String(peer.subject.CN ?? ''),
    issuerName: String(peer.issuer.CN ?? ''),
    ...(isRoot ? {} : { issuerCert: certificateOf(peer.issuerCertificate) }),
  };
}
