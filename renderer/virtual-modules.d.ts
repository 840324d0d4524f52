// What scripts/help-pages.mjs makes at build time.
declare module 'virtual:help-pages' {
  export const pages: readonly import('@rainbell/shared').HelpPage[];
}
declare module 'virtual:licenses' {
  export const licenses: readonly { name: string; version: string; license: string; text: string }[];
}
declare module 'virtual:build' {
  /** Null if it was not built from a checkout. */
  export const commit: string | null;
}
