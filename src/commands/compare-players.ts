import { battleyeGuidOf, identifierOf, type IdentifierKind } from '../api/identifiers.ts';
import type { PlayerReference } from '../api/resources.ts';

type Identities = ReadonlyMap<IdentifierKind, ReadonlySet<string>>;

/** `undecided`: they have no kind of identifier in common. */
type Comparison = 'same' | 'other' | 'undecided';
export type Compare = (other: PlayerReference) => Comparison;

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

/** For bans on consoles, which are of names: these are unique there, whatever their case. */
function compareName(banned: PlayerReference, name: string | null): Comparison {
  if (identifierOf(banned) !== null || banned.name === null || name === null) return 'undecided';
  return foldName(banned.name) === foldName(name) ? 'same' : 'other';
}

/** Compares others with a player of these identities, or, without any, of this name. */
export function compareWith(identities: Identities, name: string | null): Compare {
  return (other) => (identities.size > 0 ? comparePlayer(other, identities) : compareName(other, name));
}

export function isSamePlayer(
  identities: Identities,
  name: string | null,
): (other: PlayerReference) => boolean {
  const compare = compareWith(identities, name);
  return (other) => compare(other) === 'same';
}

const foldName = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
