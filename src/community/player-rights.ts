import type { PlayerRights, RightsMember } from '../commands/interfaces/player-rights.ts';
import { showsSeveralProjects } from '../config/config-index.ts';
import { parseRightsTarget } from '../server/ingest/players/rights-target.ts';
import {
  findTargets,
  forgetPlayer,
  type RightsTarget,
} from '../server/store/repositories/rights/forget-player.ts';
import { readHiddenPlayers, setHidden } from '../server/store/repositories/rights/hide-player.ts';
import type { StoredProject } from './stored-project.ts';

/** An identifier names one player; any other text means everybody who goes or went by that name. */
const targetOf = (text: string): RightsTarget => parseRightsTarget(text) ?? { name: text.trim() };

/**
 * Hides, shows and forgets players, for managers of a project's guilds. To forget a player concerns all projects, so it is not
 * offered where the bot's guilds show several.
 * @param onForgotten called after data were deleted; unused parts of the store's file still contain them
 */
export function createPlayerRights(
  { slug, config, writer: db, log }: StoredProject,
  onForgotten: () => void,
): PlayerRights {
  const mayForget = (): boolean => !showsSeveralProjects(config());
  /** Logs a change once it is made. @returns how many players it concerned */
  const logged = async (
    action: 'hide' | 'show' | 'forget',
    who: RightsMember,
    change: Promise<number>,
  ): Promise<number> => {
    const players = await change;
    log.info({ action, players, ...who }, 'a member changed the rights of a player');
    return players;
  };
  const forget = async (text: string): Promise<number> => {
    if (!mayForget()) return 0;
    const { players } = await forgetPlayer(db, targetOf(text));
    onForgotten();
    return players;
  };
  return {
    async find(text) {
      const target = targetOf(text);
      const byName = 'name' in target;
      const players = (await findTargets(db, target, slug)).length;
      return byName && players === 0 ? null : { players, byName };
    },
    hide: (text, who) => logged('hide', who, setHidden(db, targetOf(text), true, slug)),
    show: (text, who) => logged('show', who, setHidden(db, targetOf(text), false, slug)),
    mayForget,
    forget: (text, who) => logged('forget', who, forget(text)),
    hidden: () => readHiddenPlayers(db, slug),
  };
}
