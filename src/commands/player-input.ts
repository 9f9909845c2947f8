import { leaderboardMaxRows } from '../api/operations.ts';
import type { Identifier } from '../api/identifiers.ts';
import { resolve } from './choices.ts';
import type { CommandContext } from './command.ts';
import { readIdentifier } from './identifier-input.ts';
import { knownPlayers, playerCandidates, type KnownPlayer, type PlayerCandidate } from './known-players.ts';

/** `typed`: the identifier itself was entered. `several`: the name matches more than one player. */
export type PlayerInput =
  { identifier: Identifier; typed: boolean } | { several: readonly KnownPlayer[] } | { missing: true };

async function readCandidates({
  client,
  language,
}: Pick<CommandContext, 'client' | 'language'>): Promise<PlayerCandidate[]> {
  try {
    const { leaderboards } = (await client.listLeaderboards({ limit: leaderboardMaxRows })).data;
    return playerCandidates(language, knownPlayers(leaderboards));
  } catch {
    return [];
  }
}

/** Finds the player for a member's input: an identifier, or the name or autocomplete choice of a player on a leaderboard. */
export async function findPlayer(context: CommandContext, text: string): Promise<PlayerInput> {
  const typed = readIdentifier(text);
  if (typed !== null) return { identifier: typed, typed: true };
  const candidates = await readCandidates(context);
  const chosen = candidates.find(({ id }) => id === text);
  if (chosen !== undefined) return { identifier: chosen.player.identifier, typed: false };
  if (context.pressed) return { missing: true };
  const match = resolve(candidates, text);
  if ('ambiguous' in match) return { several: match.ambiguous.map(({ player }) => player) };
  if ('found' in match) return { identifier: match.found.player.identifier, typed: false };
  return match;
}
