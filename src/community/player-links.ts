import { parseIdentifier } from '../api/identifiers.ts';
import type { LinkProof, PlayerLinks } from '../commands/interfaces/player-links.ts';
import type { RightsMember } from '../commands/interfaces/player-rights.ts';
import { factsOf } from '../server/games/table.ts';
import {
  type Challenge,
  confirmChallenge,
  endChallenge,
  findChallenge,
  startChallenge,
} from '../server/store/repositories/links/challenges.ts';
import {
  findLinkOfMember,
  removeLink,
  setLink,
  setOwnVisibility,
} from '../server/store/repositories/links/player-links.ts';
import { findPlayerById } from '../server/store/repositories/players/player-profiles.ts';
import { logsLateByMs } from '../config/config-index.ts';
import { drawGestures } from './gesture-draw.ts';
import { findPlayerId, idOfRef, refOfId } from './stored-players.ts';
import type { StoredProject } from './stored-project.ts';

/** Which members are which players of a project, out of its store. */
export function createPlayerLinks(stored: StoredProject): PlayerLinks {
  const { slug, config, reader, writer, log, now, id } = stored;
  const loggedServers = () => stored.servers().filter(({ logs }) => logs !== undefined);
  /** The gestures of the servers' games: the English name in the game by the word in the log. */
  const gestures = (): Map<string, string> =>
    new Map(loggedServers().flatMap(({ game }) => Object.entries(factsOf(game)?.gestures ?? {})));
  const lateByMs = (): number => Math.max(0, ...loggedServers().map(logsLateByMs));
  const draw = (waiting: number): string[] => drawGestures([...gestures().keys()], waiting);
  const foundBy = async (projectId: string, { found }: Challenge): Promise<LinkProof['found']> => {
    if (found === null || typeof found === 'string') return found;
    const player = await findPlayerById(reader, projectId, found.playerId);
    return { ref: refOfId(found.playerId), name: player?.name ?? null };
  };
  const proofOf = async (projectId: string, challenge: Challenge): Promise<LinkProof> => {
    const names = gestures();
    return {
      gestures: challenge.gestures.map((code) => ({ code, name: names.get(code) ?? code })),
      seen: challenge.seen,
      endsAt: challenge.endsAt,
      lateByMs: lateByMs(),
      found: await foundBy(projectId, challenge),
    };
  };
  const noteLink = (action: string, memberId: string, by?: RightsMember): void => {
    log.info({ project: slug, action, memberId, ...by }, 'the link of a member to a player changed');
  };
  return {
    async get(userId) {
      const link = await findLinkOfMember(reader, await id(), userId);
      if (link === null) return null;
      const { name, identifier, isProven, isHidden, playerId } = link;
      return { name, identifier, isProven, isHidden, ref: refOfId(playerId) };
    },
    areClaimsEnough: () => config().discord?.links === 'claimed',
    async claim(userId, text) {
      const identifier = parseIdentifier(text);
      const projectId = await id();
      const playerId = identifier && (await findPlayerId(reader, projectId, identifier));
      if (playerId === null) return 'unknown';
      const link = { memberId: userId, playerId, isProven: false, linkedAt: now() };
      const outcome = await setLink(writer, projectId, link);
      if (outcome === 'linked') noteLink('claim', userId);
      return outcome;
    },
    async remove(userId, by) {
      const hadLink = await removeLink(writer, await id(), userId);
      if (hadLink) noteLink('undo', userId, by);
      return hadLink;
    },
    proofs: {
      isOffered: () => gestures().size > 0,
      async state(userId) {
        const projectId = await id();
        const challenge = await findChallenge(reader, projectId, userId, now());
        return challenge && (await proofOf(projectId, challenge));
      },
      start: async (who) => await startChallenge(writer, await id(), who, { now: now(), draw }),
      end: async (userId) => await endChallenge(writer, await id(), userId),
      async confirm(userId, ref) {
        const playerId = idOfRef(ref);
        if (playerId === null) return null;
        const outcome = await confirmChallenge(writer, await id(), userId, { playerId, now: now() });
        if (outcome === 'linked') noteLink('prove', userId);
        return outcome;
      },
      async setHidden(isHidden, who) {
        const isDone = await setOwnVisibility(writer, await id(), who.userId, isHidden);
        if (isDone)
          log.info({ action: isHidden ? 'hide' : 'show', ...who }, 'a member hid or showed their own player');
        return isDone;
      },
    },
  };
}
