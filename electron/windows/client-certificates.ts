// A service may request a client certificate of the user. Chromium would send the first that matches; Rainbell sends none, except in
// the sign-in window, where the user chooses one or continues without.
import { type BrowserWindow, type Certificate, dialog, type WebContents } from 'electron';

/** Electron also accepts no certificate as the answer; the types of this event leave that out. */
type SelectCertificate = (certificate?: Certificate) => void;

export function giveNoClientCertificate(contents: WebContents): void {
  contents.on('select-client-certificate', (event, _url, _certificates, select) => {
    event.preventDefault();
    (select as SelectCertificate)();
  });
}

export function offerClientCertificates(window: BrowserWindow): void {
  const contents = window.webContents;
  contents.removeAllListeners('select-client-certificate');
  contents.on('select-client-certificate', (event, url, certificates, select) => {
    event.preventDefault();
    choose(window, url, certificates).then(select as SelectCertificate, () => (select as SelectCertificate)());
  });
}

async function choose(
  window: BrowserWindow,
  url: string,
  certificates: readonly Certificate[],
): Promise<Certificate | undefined> {
  const none = certificates.length;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Client certificate',
    message: `${URL.parse(url)?.host ?? 'The service'} is requesting a certificate that identifies you.`,
    detail:
      'The service can read everything in the certificate. Without one, the sign-in continues, but the service may refuse it.',
    buttons: [...certificates.map(certificateName), 'Continue without a certificate'],
    defaultId: none,
    cancelId: none,
    noLink: true,
  });
  return certificates[response];
}

function certificateName({ subjectName, issuerName }: Certificate): string {
  return `${subjectName || 'Unnamed'} (issued by ${issuerName || 'an unnamed issuer'})`;
}
