// The role of a process in a fleet (docs/operations.md). A single process does everything.

const parts = ['api', 'sweeper', 'sender'] as const;

export const serviceRoles = ['all', ...parts] as const;
export type ServiceRole = (typeof serviceRoles)[number];

/** Whether a process with this role has that part: serving requests, watching the weather, or delivering. */
export function hasPart(role: ServiceRole, part: (typeof parts)[number]): boolean {
  return role === 'all' || role === part;
}
