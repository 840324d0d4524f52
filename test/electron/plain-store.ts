// electron-store without Electron. A test file mocks that package with it, because no mock reaches the package's own import of `electron`:
// `vi.mock('electron-store', async () => ({ default: (await import('#test/electron/plain-store.ts')).PlainStore }))`.
import Conf, { type Options } from 'conf';

type Values = Record<string, unknown>;

/** As node_modules/electron-store/index.js with an absolute `cwd`. */
export class PlainStore extends Conf<Values> {
  constructor({ name = 'config', ...options }: Partial<Options<Values>> & { name?: string }) {
    super({ ...options, configName: name });
  }
}
