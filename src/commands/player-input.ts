import { identifierOf, type Identifier } from '../api/identifiers.ts';
import { asTyped } from '../embeds/text.ts';
import { resolve } from './choices.ts';
import type { CommandContext } from './command.ts';
import { readIdentifier } from './identifier-input.ts';
import {
  playerCandidates,
  readKnownPlayers,
  type KnownPlayer,
  type PlayerCandidate,
} from './known-players.ts';
import { isRefusal } from './refusals.ts';
import type { StoredPlayer } from './interfaces/community.ts';

/**
 * What a member's input names. `typed`: the identifier itself was entered. `stored`: a player without an identifier.
 * `several`: the name matches more than one player.
 */
type PlayerInput =
  | { identifier: Identifier; typed: boolean }
  | { stored: StoredPlayer }
  | { several: readonly KnownPlayer[] }
  | { missing: true };

/** @throws errors of the client, unless leaderboards are not in the plan or the scopes */
async function readCandidates(context: CommandContext): Promise<PlayerCandidate[]> {
  try {
    return playerCandidates(context, await readKnownPlayers(context.client));
  } catch (error) {
    if (isRefusal(error, 'subscription_required') || isRefusal(error, 'insufficient_scope')) return [];
    throw error;
  }
}

/**
 * Finds the player for a member's input: an identifier, or the name or autocomplete choice of a player on a leaderboard,
 * or the name of a player whom the store knows.
 * @throws errors of the client: then it is not known whether there is such a player
 */
export async function findPlayer(context: CommandContext, text: string): Promise<PlayerInput> {
  const { pressed, community } = context;
  const typed = readIdentifier(text);
  if (typed !== null) return { identifier: typed, typed: true };
  if (pressed) {
    const player = await community.players.get(text);
    if (player !== null) return playerOf([{ ref: text, player }]);
  }
  const candidates = await readCandidates(context);
  const chosen = candidates.find(({ id }) => id === text);
  if (chosen !== undefined) return await ofKnown(context, chosen.player);
  if (pressed) return { missing: true };
  const named = playerOf(await community.players.named(asTyped(text)));
  if (!('missing' in named)) return named;
  const match = resolve(candidates, text);
  if ('ambiguous' in match) return { several: match.ambiguous.map(({ player }) => player) };
  return 'found' in match ? await ofKnown(context, match.found.player) : match;
}

/** A player of a leaderboard who has no identifier is looked up in the store by name. */
async function ofKnown(
  { community }: Pick<CommandContext, 'community'>,
  { identifier, name }: KnownPlayer,
): Promise<PlayerInput> {
  if (identifier !== null) return { identifier, typed: false };
  const named = await community.players.named(name);
  // `named` ignores case, but the leaderboard has one spelling.
  return playerOf(named.filter(({ player }) => identifierOf(player) === null && player.name === name));
}

/** The stored player of a name, unless several have it. */
export function playerOf(players: readonly StoredPlayer[]): PlayerInput {
  const [only, ...others] = players;
  if (only === undefined) return { missing: true };
  if (others.length > 0) return { several: players.map(toKnown) };
  const identifier = identifierOf(only.player);
  return identifier === null ? { stored: only } : { identifier, typed: false };
}

function toKnown({ ref, player }: StoredPlayer): KnownPlayer {
  const { name, stats, lastSeenAt } = player;
  const { totalPlaySeconds: playSeconds } = stats;
  return { identifier: identifierOf(player), ref, name: name ?? '', playSeconds, lastSeenAt };
}
