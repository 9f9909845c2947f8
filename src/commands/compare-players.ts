import { battleyeGuidOf, identifierOf, type IdentifierKind } from '../api/identifiers.ts';
import type { PlayerReference } from '../api/resources.ts';

/** `undecided`: they have no kind of identifier in common, so they may be the same or not. */
type Comparison = 'same' | 'other' | 'undecided';

/** The player with whom others are compared: by identifiers, or by the name where there is none. */
export interface ComparedPlayer {
  identifiers: ReadonlyMap<IdentifierKind, ReadonlySet<string>>;
  name: string | null;
}

/** All identifiers in references to one player, and the BattlEye GUID that follows from a SteamID64. */
export function identifiersIn(...references: Partial<PlayerReference>[]): ComparedPlayer['identifiers'] {
  const identifiers = new Map<IdentifierKind, Set<string>>();
  const add = (kind: IdentifierKind, id: string | null | undefined): void => {
    if (id) identifiers.set(kind, (identifiers.get(kind) ?? new Set()).add(id));
  };
  for (const { steamId64, battleyeGuid, cftoolsId } of references) {
    add('steamId64', steamId64);
    add('battleyeGuid', battleyeGuid);
    add('battleyeGuid', steamId64 ? battleyeGuidOf(steamId64) : null);
    add('cftoolsId', cftoolsId);
  }
  return identifiers;
}

export function comparePlayers({ identifiers, name }: ComparedPlayer, other: PlayerReference): Comparison {
  if (identifiers.size === 0) return compareNames(name, other);
  let comparison: Comparison = 'undecided';
  for (const [kind, ids] of identifiersIn(other)) {
    const known = identifiers.get(kind);
    if (known === undefined) continue;
    if ([...ids].some((id) => known.has(id))) return 'same';
    comparison = 'other';
  }
  return comparison;
}

/** Console servers ban names. There a name belongs to one player, whatever its case. */
function compareNames(name: string | null, other: PlayerReference): Comparison {
  if (identifierOf(other) !== null || other.name === null || name === null) return 'undecided';
  return foldName(other.name) === foldName(name) ? 'same' : 'other';
}

export const isSamePlayer = (player: ComparedPlayer, other: PlayerReference): boolean =>
  comparePlayers(player, other) === 'same';

const foldName = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
