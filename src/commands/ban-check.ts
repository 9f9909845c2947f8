import { ServiceError, type Client } from '../api/client-types.ts';
import { battleyeGuidOf, type Identifier } from '../api/identifiers.ts';
import type { Ban, Banlist, PlayerReference } from '../api/resources.ts';
import type { BanCheckView, ListCheck } from '../embeds/ban-check.ts';

/** The most bans of a list that the service returns. */
const readableBans = 200;

/** Every identifier that stands for one player. */
type Identities = ReadonlySet<string>;

function identitiesOf(reference: Partial<PlayerReference>): string[] {
  const { steamId64, battleyeGuid, cftoolsId } = reference;
  const derived = steamId64 ? battleyeGuidOf(steamId64) : null;
  return [steamId64, battleyeGuid, cftoolsId, derived].filter((id) => id !== null && id !== undefined);
}

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
    const found = bans.filter(
      (ban) => isActive(ban, now) && identitiesOf(ban.player).some((id) => identities.has(id)),
    );
    if (found.length > 0) return { list, outcome: 'banned', bans: found };
    if (answer.stale) return { list, outcome: 'old', receivedAt: answer.receivedAt };
    // A full page whose list is said to hold another number may have bans that cannot be seen.
    const complete =
      bans.length < readableBans ? list.banCount <= bans.length : list.banCount === bans.length;
    return complete ? { list, outcome: 'clear' } : { list, outcome: 'partly', seen: bans.length };
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

/** Looks for one player in every given list, under all identifiers that the service knows for that player. */
export async function checkBans(
  client: Client,
  identifier: Identifier,
  lists: readonly Banlist[],
  now: number,
): Promise<BanCheckView> {
  const { player, known } = await readPlayer(client, identifier);
  const identities = new Set([
    ...identitiesOf({ [identifier.kind]: identifier.value }),
    ...identitiesOf(player ?? {}),
  ]);
  const checks = await Promise.all(lists.map((list) => checkList(client, list, identities, now)));
  const banned = checks.flatMap((check) => (check.outcome === 'banned' ? check.bans : []));
  const name = player?.name ?? banned.find((ban) => ban.player.name !== null)?.player.name ?? null;
  return { identifier: identifier.value, name, identitiesKnown: known, checks, now };
}
