// Loaded before an entry (`node --import`): what Node compiled of our TypeScript and of the packages is kept beside the
// packages, so the next start need not do it again. A folder that cannot be written is no reason not to start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { projectFolder } from './tool.mjs';

enableCompileCache(join(projectFolder, 'node_modules', '.cache', 'rainbell-compiled'));
