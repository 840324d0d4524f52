// Imported by property-based tests (fast-check) for one seed in all of them: `npm test` tries the same cases on every machine,
// so that a red run means a change.
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121 });
