import type { Database } from '../../engine/database.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { deleteBotValues, readBotValues } from '../../engine/small-values.ts';
import { findTargets } from '../rights/forget-player.ts';
import { identifierIn, keyPrefix } from './earlier-claims.ts';
import { setLink } from './player-links.ts';

const claimKey = /^player:(?:([^:]+):)?(\d{1,20})$/;

/**
 * Takes the claims of earlier versions over as links that are not proven, once: a claim to a player who is not stored is dropped.
 * @param usual the slug of the project that the bot shows by default; undefined: there is none
 */
export async function takeOverClaims(db: Database, usual: string | undefined, now: number): Promise<void> {
  const values = await readBotValues(db, keyPrefix);
  for (const stored of values) {
    const [, slug = usual, memberId] = claimKey.exec(stored.key) ?? [];
    const identifier = identifierIn(stored);
    if (slug === undefined || memberId === undefined || identifier === null) continue;
    const meant = await findTargets(db, { identity: { [identifier.kind]: identifier.value } }, slug);
    const player = meant.find(({ hidden }) => hidden !== visibility.banned);
    if (player !== undefined)
      await setLink(db, player.project_id, { memberId, playerId: player.id, isProven: false, linkedAt: now });
  }
  if (values.length > 0)
    await deleteBotValues(
      db,
      values.map(({ key }) => key),
    );
}
