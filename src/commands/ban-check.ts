import { ServiceError, type Client } from '../api/client-types.ts';
import type { Identifier } from '../api/identifiers.ts';
import type { Ban, Banlist, PlayerReference } from '../api/resources.ts';
import type { BanCheckView, ListCheck } from '../embeds/ban-check.ts';
import type { CommandContext } from './command.ts';
import { comparePlayer, identitiesOf, type Identities } from './player-identity.ts';

/** The most bans of a list that the service returns. */
export const readableBans = 200;

function isActive(ban: Ban, now: number): boolean {
  return ban.expiresAt === null || Date.parse(ban.expiresAt) > now;
}

async function checkList(
  client: Client,
  list: Banlist,
  identities: Identities,
  now: number,
): Promise<ListCheck> {
  try {
    const answer = await client.listBans({ banListId: list.id, limit: readableBans });
    const { bans } = answer.data;
    const active = bans.filter((ban) => isActive(ban, now));
    const found = active.filter((ban) => comparePlayer(ban.player, identities) === 'same');
    if (found.length > 0) return { list, outcome: 'banned', bans: found };
    if (answer.stale) return { list, outcome: 'old', receivedAt: answer.receivedAt };
    // A full page whose list is said to hold another number may have bans that cannot be seen.
    const complete =
      bans.length < readableBans ? list.banCount <= bans.length : list.banCount === bans.length;
    if (!complete) return { list, outcome: 'partly', seen: bans.length };
    // A source may name whom it bans by an id of its own only (DayZ's ban.txt does); the service then shows none.
    const unidentified = active.filter((ban) => comparePlayer(ban.player, identities) === 'undecided').length;
    return unidentified > 0 ? { list, outcome: 'unidentified', unidentified } : { list, outcome: 'clear' };
  } catch (error) {
    const gone = error instanceof ServiceError && error.code === 'not_found';
    return { list, outcome: gone ? 'gone' : 'failed' };
  }
}

/** The player as the service knows it: null when it does not; `known` false when it could not say. */
async function readPlayer(
  client: Client,
  identifier: Identifier,
): Promise<{ player: PlayerReference | null; known: boolean }> {
  try {
    const { data } = await client.getPlayer({ identifier: identifier.value });
    return { player: data.player, known: true };
  } catch (error) {
    return { player: null, known: error instanceof ServiceError && error.code === 'not_found' };
  }
}

/**
 * Looks for one player in every given list, under all identifiers that the service knows for that player. Whose
 * identifier it is, is told in home guilds only.
 */
export async function checkBans(
  { client, asker, now }: Pick<CommandContext, 'client' | 'asker' | 'now'>,
  identifier: Identifier,
  lists: readonly Banlist[],
): Promise<BanCheckView> {
  const { player, known } = await readPlayer(client, identifier);
  const identities = identitiesOf({ [identifier.kind]: identifier.value }, player ?? {});
  const checks = await Promise.all(lists.map((list) => checkList(client, list, identities, now)));
  const banned = checks.flatMap((check) => (check.outcome === 'banned' ? check.bans : []));
  const name =
    (asker.isHome ? player?.name : null) ??
    banned.find((ban) => ban.player.name !== null)?.player.name ??
    null;
  return { identifier: identifier.value, name, identitiesKnown: known, checks, now };
}
