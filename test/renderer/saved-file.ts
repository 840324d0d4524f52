// What the app saves, and what it copies, while a test does something.
import { vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectShown } from './open-app.ts';

export async function savedBy(act: () => Promise<void>): Promise<{ name: string; blob: Blob }> {
  const saved = Promise.withResolvers<{ name: string; blob: Blob }>();
  let blob = new Blob();
  const creating = vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    if (given instanceof Blob) blob = given;
    return 'blob:saved';
  });
  const clicking = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.resolve({ name: this.download, blob });
  });
  await act();
  const file = await saved.promise;
  creating.mockRestore();
  clicking.mockRestore();
  return file;
}

/** What a button puts on the clipboard. */
export async function copiedBy(label: string | RegExp): Promise<string> {
  let copied = '';
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void (copied = text));
  await page.getByRole('button', { name: label }).click();
  await expectShown(page.getByRole('button', { name: 'Copied' }).first());
  return copied;
}
