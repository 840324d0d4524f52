// The file that the app saves while a test does something.
import { vi } from 'vitest';

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
