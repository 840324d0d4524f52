// Rainbell's mark: a bell with drops beside it.
export function Logo({ size = 30 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--rb-accent)" />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9.2 21.4c1.3-1.1 1.9-2.6 1.9-4.5v-2.1a4.9 4.9 0 0 1 9.8 0v2.1c0 1.9.6 3.4 1.9 4.5z" />
        <path d="M14 24.4a2.2 2.2 0 0 0 4 0M16 9.9V8.2M7.4 9.2 6 12.2M24.6 9.2l1.4 3" />
      </g>
    </svg>
  );
}
