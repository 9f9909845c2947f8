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

/** A target as text: `id` or `name`, and which. */
const writeTarget = (kind: 'id' | 'name', text: string): string => `${kind}:${text}`;

function readTarget(text: string): RightsTarget | null {
  const [, kind, value = ''] = /^(id|name):(.+)$/s.exec(text) ?? [];
  if (kind === 'name') return { name: value };
  return kind === 'id' ? parseRightsTarget(value) : null;
}

/**
 * The rights of the players of a project, as members manage them. To forget a player concerns all projects: what is
 * deleted leaves the file within a minute.
 * @param onForgotten called after data were deleted; unused parts of the store's file still contain them
 */
export function createPlayerRights(
  { slug, config, writer: db, log }: StoredProject,
  onForgotten: () => void,
): PlayerRights {
  const mayForget = (): boolean => !showsSeveralProjects(config());
  const change = async (
    action: 'hide' | 'show' | 'forget',
    text: string,
    who: RightsMember,
    run: (target: RightsTarget) => Promise<number>,
  ): Promise<number> => {
    const target = readTarget(text);
    if (target === null) return 0;
    const players = await run(target);
    log.info({ action, players, ...who }, 'a member changed the rights of a player');
    return players;
  };
  return {
    async find(text) {
      const target = parseRightsTarget(text);
      if (target !== null) {
        const players = (await findTargets(db, target, slug)).length;
        return { target: writeTarget('id', text.trim()), players, byName: false };
      }
      const players = (await findTargets(db, { name: text }, slug)).length;
      return players === 0 ? null : { target: writeTarget('name', text.trim()), players, byName: true };
    },
    hide: (text, who) => change('hide', text, who, (target) => setHidden(db, target, true, slug)),
    show: (text, who) => change('show', text, who, (target) => setHidden(db, target, false, slug)),
    mayForget,
    forget: (text, who) =>
      change('forget', text, who, async (target) => {
        if (!mayForget()) return 0;
        const { players } = await forgetPlayer(db, target);
        onForgotten();
        return players;
      }),
    hidden: () => readHiddenPlayers(db, slug),
  };
}
