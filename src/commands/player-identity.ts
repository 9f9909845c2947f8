import { battleyeGuidOf, identifierOf, type IdentifierKind } from '../api/identifiers.ts';
import type { PlayerReference } from '../api/resources.ts';

type Identities = ReadonlyMap<IdentifierKind, ReadonlySet<string>>;

/** The result of comparing two players. A kind of identifier that both have decides. */
export type Comparison = 'same' | 'other' | 'undecided';

export function identitiesOf(...references: Partial<PlayerReference>[]): Identities {
  const identities = new Map<IdentifierKind, Set<string>>();
  const add = (kind: IdentifierKind, id: string | null | undefined): void => {
    if (id) identities.set(kind, (identities.get(kind) ?? new Set()).add(id));
  };
  for (const { steamId64, battleyeGuid, cftoolsId } of references) {
    add('steamId64', steamId64);
    add('battleyeGuid', battleyeGuid);
    add('battleyeGuid', steamId64 ? battleyeGuidOf(steamId64) : null);
    add('cftoolsId', cftoolsId);
  }
  return identities;
}

/** Whether a player has these identities. Undecided if they have no kind of identifier in common. */
function comparePlayer(player: PlayerReference, identities: Identities): Comparison {
  let comparison: Comparison = 'undecided';
  for (const [kind, ids] of identitiesOf(player)) {
    const known = identities.get(kind);
    if (known === undefined) continue;
    if ([...ids].some((id) => known.has(id))) return 'same';
    comparison = 'other';
  }
  return comparison;
}

/** Whether a ban is of a player whom no identifier names. Consoles ban names, which are unique in whatever case. */
function compareName(banned: PlayerReference, name: string | null): Comparison {
  if (identifierOf(banned) !== null || banned.name === null || name === null) return 'undecided';
  return foldName(banned.name) === foldName(name) ? 'same' : 'other';
}

/** Compares others with a player of these identities, or, without any, of this name. */
export const comparisonWith =
  (identities: Identities, name: string | null) =>
  (other: PlayerReference): Comparison =>
    identities.size > 0 ? comparePlayer(other, identities) : compareName(other, name);

export const isPlayer =
  (...player: Parameters<typeof comparisonWith>) =>
  (other: PlayerReference): boolean =>
    comparisonWith(...player)(other) === 'same';

const foldName = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
