/** What a process can do. Several processes on one PostgreSQL store share the roles. */
export const allRoles = ['api', 'follow', 'poll', 'bot'] as const;

export const rolesExpectation = `expected roles out of ${allRoles.join(', ')}, with commas between them`;

export type Role = (typeof allRoles)[number];

/** @returns the roles in a list with commas; null: it names another one, or none */
export function parseRoles(list: string): Role[] | null {
  const names = list.split(',').map((name) => name.trim());
  const isRole = (name: string): name is Role => allRoles.some((role) => role === name);
  return names.every(isRole) ? [...new Set(names)] : null;
}
