import type { Client } from '../api/client-types.ts';
import { identifierOf, type Identifier } from '../api/identifiers.ts';
import type { Ban, Banlist, PlayerReference } from '../api/resources.ts';
import type { BanCheckView, ListCheck } from '../embeds/ban-check.ts';
import type { CommandContext } from './command.ts';
import { isRefusal, optional } from './reads.ts';
import { type ComparedPlayer, comparePlayers, identifiersIn, isSamePlayer } from './compare-players.ts';

/** The maximum number of bans that the service returns for a list. */
export const readableBans = 200;

const isActive = ({ expiresAt }: Ban, now: number): boolean =>
  expiresAt === null || Date.parse(expiresAt) > now;

type CheckContext = Pick<CommandContext, 'client' | 'community' | 'now'>;

async function checkLists(
  context: CheckContext,
  lists: readonly Banlist[],
  player: ComparedPlayer,
): Promise<ListCheck[]> {
  const unread = await optional(context.community.unreadBanlists(), new Set());
  return await Promise.all(
    lists.map(async (list) => {
      const check = await checkList(context, list, player);
      const isClear = check.outcome === 'clear' || check.outcome === 'unidentified';
      return isClear && unread.has(list.id) ? { list, outcome: 'unread' as const } : check;
    }),
  );
}

async function checkList(
  { client, now }: CheckContext,
  list: Banlist,
  player: ComparedPlayer,
): Promise<ListCheck> {
  try {
    const answer = await client.listBans({ banListId: list.id, limit: readableBans });
    const { bans } = answer.data;
    const active = bans.filter((ban) => isActive(ban, now));
    const found = active.filter((ban) => isSamePlayer(player, ban.player));
    if (found.length > 0) return { list, outcome: 'banned', bans: found };
    if (answer.stale) return { list, outcome: 'stale', receivedAt: answer.receivedAt };
    // If the list has more bans than were returned, the others cannot be checked.
    const complete =
      bans.length < readableBans ? list.banCount <= bans.length : list.banCount === bans.length;
    if (!complete) return { list, outcome: 'partly', seen: bans.length };
    // Some sources identify players only by an id of their own, such as DayZ's ban.txt. The service omits that id.
    const unidentified = active.filter((ban) => comparePlayers(player, ban.player) === 'undecided').length;
    return unidentified > 0 ? { list, outcome: 'unidentified', unidentified } : { list, outcome: 'clear' };
  } catch {
    return { list, outcome: 'failed' };
  }
}

/** `player` null: the service knows none. `known` false: it could not answer, so there may be one. */
async function readPlayer(
  client: Client,
  identifier: Identifier,
): Promise<{ player: PlayerReference | null; known: boolean }> {
  try {
    const { data } = await client.getPlayer({ identifier: identifier.value });
    return { player: data.player, known: true };
  } catch (error) {
    return { player: null, known: isRefusal(error, 'not_found') };
  }
}

/** Checks every given list for whoever has an identifier, under all identifiers that the service knows of that player. */
export async function checkIdentifier(
  context: CheckContext,
  identifier: Identifier,
  lists: readonly Banlist[],
): Promise<BanCheckView> {
  const { player, known } = await readPlayer(context.client, identifier);
  const identifiers = identifiersIn({ [identifier.kind]: identifier.value }, player ?? {});
  const checks = await checkLists(context, lists, { identifiers, name: null });
  const banned = checks.flatMap((check) => (check.outcome === 'banned' ? check.bans : []));
  const name = player?.name ?? banned.find((ban) => ban.player.name !== null)?.player.name ?? null;
  return { identifier: identifier.value, name, identitiesKnown: known, checks, now: context.now };
}

/** Checks every given list for a player: under all identifiers, or without any by the name. */
export async function checkPlayer(
  context: CheckContext,
  player: PlayerReference,
  lists: readonly Banlist[],
): Promise<BanCheckView> {
  const { name } = player;
  const checks = await checkLists(context, lists, { identifiers: identifiersIn(player), name });
  const identifier = identifierOf(player)?.value ?? name ?? '';
  return { identifier, name, identitiesKnown: true, checks, now: context.now };
}
