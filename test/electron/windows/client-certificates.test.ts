// What the sign-in page is answered when its host requests a client certificate.
import { EventEmitter } from 'node:events';
import type { BrowserWindow, Certificate, WebContents } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { giveNoClientCertificate, offerClientCertificates } from '#electron/windows/client-certificates.ts';
import { electron } from '#test/double/electron.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type Dialog = { message: string; buttons: string[]; defaultId: number; cancelId: number };
let dialogs: { window: unknown; options: Dialog }[];
let answer: () => Promise<{ response: number; checkboxChecked: boolean }>;
beforeEach(() => {
  dialogs = [];
  const spy = vi.spyOn(electron.dialog, 'showMessageBox').mockImplementation(async (window, options) => {
    dialogs.push({ window, options: options as Dialog });
    return answer();
  });
  return () => spy.mockRestore();
});

const ada = { subjectName: 'Ada', issuerName: 'Example CA' } as Certificate;
const unnamed = { subjectName: '', issuerName: '' } as Certificate;

/** Requests a certificate as Electron does; resolves to the arguments of the answer. */
async function request(contents: EventEmitter, url: string, certificates: readonly Certificate[]) {
  const preventDefault = vi.fn<() => void>();
  const answered = await new Promise<unknown[]>((resolve) => {
    contents.emit('select-client-certificate', { preventDefault }, url, certificates, (...chosen: unknown[]) =>
      resolve(chosen),
    );
  });
  expect(preventDefault).toHaveBeenCalledOnce();
  return answered;
}

function signInWindow() {
  const contents = new EventEmitter();
  giveNoClientCertificate(contents as WebContents);
  const window = { webContents: contents } as unknown as BrowserWindow;
  offerClientCertificates(window);
  return { contents, window };
}

it('is the one that the user chooses in the sign-in window, or none', async () => {
  const { contents, window } = signInWindow();
  answer = async () => ({ response: 0, checkboxChecked: false });
  expect(await request(contents, 'https://a.example:8443/x?y', [ada, unnamed])).toEqual([ada]);
  answer = async () => ({ response: 1, checkboxChecked: false });
  expect(await request(contents, 'https://a.example/', [ada, unnamed])).toEqual([unnamed]);
  // Without one, as with the Escape and Enter keys.
  answer = async () => ({ response: 2, checkboxChecked: false });
  expect(await request(contents, 'https://a.example/', [ada, unnamed])).toEqual([undefined]);
  expect(dialogs).toHaveLength(3);
  expect(dialogs[0]).toMatchObject({ window, options: { type: 'question', defaultId: 2, cancelId: 2, noLink: true } });
  expect(dialogs[0]?.options.message).toMatch(/^a\.example:8443 is requesting/);
  expect(dialogs[0]?.options.buttons).toEqual([
    'Ada (issued by Example CA)',
    'Unnamed (issued by an unnamed issuer)',
    'Continue without a certificate',
  ]);
});

it('is none without a way to show the question', async () => {
  const { contents } = signInWindow();
  answer = () => Promise.reject(new Error('Object has been destroyed'));
  expect(await request(contents, 'not a URL', [ada])).toEqual([]);
  expect(dialogs[0]?.options.message).toMatch(/^The service is requesting/);
});
