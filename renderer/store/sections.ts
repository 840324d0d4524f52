// The sections of the screens that are made of cards, as links name them. A card marks itself with `data-section`.
export const accessSections = ['application', 'user', 'sign-in', 'log'] as const;
export const sandboxSections = ['scenarios', 'faults', 'clock', 'provider'] as const;

/** Returns the section if it is one of these, otherwise null. */
export function sectionIn<T extends string>(section: string | undefined, sections: readonly T[]): T | null {
  return sections.find((one) => one === section) ?? null;
}
