import { leaderboardMaxRows } from '../api/operations.ts';
import type { Identifier } from '../api/identifiers.ts';
import { resolve } from './choices.ts';
import type { CommandContext } from './command.ts';
import { readIdentifier } from './identifier-input.ts';
import { knownPlayers, playerCandidates, type KnownPlayer, type PlayerCandidate } from './known-players.ts';

/** `typed`: the identifier itself was entered. `several`: the name fits more than one player. */
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

/** The player whom a member means: by an identifier, or as one who stands on a leaderboard, by name or by choice. */
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
