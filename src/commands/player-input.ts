import { identifierOf, type Identifier } from '../api/identifiers.ts';
import { asTyped } from '../embeds/text.ts';
import { resolve } from './choices.ts';
import type { CommandContext } from './command.ts';
import { readIdentifier } from './identifier-input.ts';
import { playerCandidates, readKnownPlayers, type KnownPlayer } from './known-players.ts';
import { isRefusal } from './reads.ts';
import type { StoredPlayer } from './interfaces/community.ts';

/**
 * Whom a member's input names. `typed`: the input is the identifier, and not a name or ref. `stored`: a player of the store
 * who has no identifier, as on consoles. `several`: players of this name, of whom the member has to choose one.
 */
type FoundPlayer =
  | { identifier: Identifier; typed: boolean }
  | { stored: StoredPlayer }
  | { several: readonly KnownPlayer[] }
  | { missing: true };

/** The players of the leaderboards; none where the plan or the scopes lack leaderboards. @throws other errors of the client */
async function readLeaderboardPlayers(context: CommandContext): Promise<KnownPlayer[]> {
  try {
    return playerCandidates(context, await readKnownPlayers(context.client));
  } catch (error) {
    if (isRefusal(error, 'subscription_required') || isRefusal(error, 'insufficient_scope')) return [];
    throw error;
  }
}

/**
 * Finds whom a member means, in this order: by an identifier, by the ref that a button, menu or autocomplete choice has, and
 * by a name, first in the store and then on the leaderboards. A button or menu never finds by name: once its player is gone,
 * another one with that name is not meant.
 * @throws errors of the client: then it is not known whether there is such a player
 */
export async function findPlayer(context: CommandContext, text: string): Promise<FoundPlayer> {
  const { pressed, community } = context;
  const identifier = readIdentifier(text);
  if (identifier !== null) return { identifier, typed: true };
  if (pressed) {
    const player = await community.players.get(text);
    if (player !== null) return onlyOrSeveral([{ ref: text, player }]);
  }
  const onLeaderboards = await readLeaderboardPlayers(context);
  const withRef = onLeaderboards.find(({ id }) => id === text);
  if (withRef !== undefined) return await findStored(context, withRef);
  if (pressed) return { missing: true };
  const inStore = onlyOrSeveral(await community.players.named(asTyped(text)));
  if (!('missing' in inStore)) return inStore;
  const match = resolve(onLeaderboards, text);
  if ('ambiguous' in match) return { several: match.ambiguous };
  return 'found' in match ? await findStored(context, match.found) : match;
}

/** A player of a leaderboard who has no identifier is looked up in the store by name. */
async function findStored(
  { community }: Pick<CommandContext, 'community'>,
  { identifier, name }: KnownPlayer,
): Promise<FoundPlayer> {
  if (identifier !== null) return { identifier, typed: false };
  const named = await community.players.named(name);
  // `named` ignores case, but the leaderboard has one spelling.
  return onlyOrSeveral(named.filter(({ player }) => identifierOf(player) === null && player.name === name));
}

/** Of stored players with one name: the only one, or all for the member to choose from. */
export function onlyOrSeveral(players: readonly StoredPlayer[]): FoundPlayer {
  const [only, ...others] = players;
  if (only === undefined) return { missing: true };
  if (others.length > 0) return { several: players.map(knownPlayerOf) };
  const identifier = identifierOf(only.player);
  return identifier === null ? { stored: only } : { identifier, typed: false };
}

function knownPlayerOf({ ref, player }: StoredPlayer): KnownPlayer {
  const { name, stats, lastSeenAt } = player;
  const { totalPlaySeconds: playSeconds } = stats;
  return { id: ref, identifier: identifierOf(player), name: name ?? '', playSeconds, lastSeenAt };
}
