import type { Ban, Banlist } from '../api/resources.ts';
import { addBan, type BannedId, liftBan } from '../server/ingest/bans/by-hand.ts';
import { listBanLists, listBans } from '../server/store/repositories/bans/ban-lists.ts';
import { projectOfBanList } from '../server/store/repositories/bans/bans.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { CommandFailure, count, grouped, printable, printResult, type Output } from './output.ts';
import { limits } from './limits.ts';

interface Target {
  banlist: string;
  player: BannedId;
}

export async function add(
  output: Output,
  options: Target & { category: Ban['category']; reason: string; for?: number },
): Promise<void> {
  const { banlist: listId, player, category, reason } = options;
  const startsAt = Date.now();
  const expiresAt = options.for === undefined ? null : startsAt + options.for;
  await withConfiguredStore(
    async (db) => await addBan(db, { listId, player, category, reason, expiresAt, now: () => startsAt }),
  );
  const until = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const text = `${player.value} is banned on ${listId} ${until === null ? 'permanently' : `until ${until}`}.`;
  const next = '  PENDING on a server until its ban file contains the player: ban the player there, too.';
  const result = { banlist: listId, player, category, reason, expiresAt: until };
  printResult(output, result, [text, next].join('\n'));
}

export async function lift(output: Output, options: Target): Promise<void> {
  const { banlist: listId, player } = options;
  const { lifted, stillIn } = await withConfiguredStore(
    async (db) => await liftBan(db, { listId, player }),
    withStore,
  );
  const next = stillIn
    .map((source) => `\n  still banned by ${source}: remove the line from that file`)
    .join('');
  if (lifted === 0) {
    throw new CommandFailure(`${player.value} has no ban made by hand or imported on ${listId}.${next}`);
  }
  const result = { banlist: listId, player, lifted, stillIn };
  printResult(output, result, `Lifted.${next}`);
}

export async function list(output: Output, options: { banlist?: string }): Promise<void> {
  const wanted = options.banlist;
  const banlists = await withConfiguredStore(async (db, { projects }) => {
    if (wanted !== undefined) await projectOfBanList(db, wanted);
    const now = Date.now();
    const found: (Pick<Banlist, 'id' | 'name' | 'banCount'> & { bans: readonly Ban[] })[] = [];
    for (const { slug } of projects) {
      const projectId = await findProjectId(db, slug);
      for (const { id, name, banCount } of await listBanLists(db, projectId, now)) {
        if (wanted !== undefined && id !== wanted) continue;
        const bans = (await listBans(db, projectId, id, limits.listedBans, now)) ?? [];
        found.push({ id, name, banCount, bans });
      }
    }
    return found;
  }, withStore);
  const lines = banlists.flatMap(({ id, banCount, bans }) => [
    `${id}: ${count(banCount, 'ban')}${bans.length < banCount ? `, the newest ${grouped(bans.length)} of them` : ''}`,
    ...bans.map((ban) => `  ${printable(banText(ban))}`),
  ]);
  printResult(output, { banlists }, lines.join('\n') || 'The config has no ban list.');
}

function banText({ player, category, reason, expiresAt, targets }: Ban): string {
  const id = player.steamId64 ?? player.battleyeGuid ?? player.cftoolsId;
  const who = [id, player.name].filter((part) => part !== null).join('  ') || 'a player without a SteamID64';
  const pending = targets.filter(({ state }) => state !== 'ENFORCED');
  const notYet = pending.map(({ serverId, state }) => `${state} on ${serverId}`);
  const until = expiresAt === null ? 'permanent' : `until ${expiresAt}`;
  return [who, category, [until, ...notYet].join(', '), ...(reason === null ? [] : [reason])].join('  ');
}
