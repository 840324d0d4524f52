// Imported by property-based tests (fast-check) for one seed in all of them: `npm test` tries the same cases on every machine,
// so that a red run means a change. `npm run fuzz` gives a different seed to each of its rounds (RAINBELL_PROPERTY_SEED).
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['RAINBELL_PROPERTY_SEED'] ?? 20_261_121) });
