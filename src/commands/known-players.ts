import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import type { Leaderboard } from '../api/resources.ts';
import { formatMetric } from '../embeds/format.ts';
import type { Language } from '../locales/language.ts';
import type { Candidate } from './choices.ts';
import { identifierOf } from './player-identity.ts';
import { digestRef } from './short-ref.ts';

/** A player on a leaderboard, who can therefore be found by name. */
export interface KnownPlayer {
  identifier: Identifier;
  name: string;
  /** Null: the player is not on the play time leaderboard. */
  playSeconds: number | null;
}

/** `id` is a digest of the identifier, so that autocompletion does not reveal identifiers. */
export interface PlayerCandidate extends Candidate {
  player: KnownPlayer;
}

/** The players of the leaderboards, each once, without those that have no name or identifier. */
export function knownPlayers(leaderboards: readonly Leaderboard[]): KnownPlayer[] {
  const players = new Map<string, KnownPlayer>();
  for (const { metric, rows } of leaderboards) {
    for (const { player, value } of rows) {
      const identifier = parseIdentifier(identifierOf(player) ?? '');
      if (identifier === null || player.name === null) continue;
      const known = players.get(identifier.value) ?? { identifier, name: player.name, playSeconds: null };
      if (metric === 'PLAYTIME') known.playSeconds = value;
      players.set(identifier.value, known);
    }
  }
  return [...players.values()];
}

export function playerCandidates(language: Language, players: readonly KnownPlayer[]): PlayerCandidate[] {
  return players.map((player) => ({
    id: digestRef(player.identifier.value),
    name: player.name,
    hint: playerHint(language, player),
    player,
  }));
}

/** Distinguishes players with the same name: `3d 4h 12m · …5320`. */
export function playerHint(
  language: Language,
  { identifier, playSeconds }: Pick<KnownPlayer, 'identifier' | 'playSeconds'>,
  withIdentity = true,
): string {
  const parts = [
    ...(playSeconds === null ? [] : [formatMetric(language, 'seconds', playSeconds)]),
    ...(withIdentity ? [`…${identifier.value.slice(-4)}`] : []),
  ];
  return parts.join(' · ');
}
