import { leaderboardMaxRows } from '../api/operations.ts';
import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import type { PlayerReference } from '../api/resources.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { playerName } from '../embeds/player.ts';
import { foreign } from '../embeds/text.ts';
import { resolve, type Candidate } from './choices.ts';
import type { CommandContext, Reply } from './command.ts';
import { readIdentifier } from './identifier-input.ts';
import { identifierOf } from './player-identity.ts';
import { privateReply } from './replies.ts';

/** Players who can be told by name, since they stand on a leaderboard. */
export function playerCandidates(players: readonly PlayerReference[]): Candidate[] {
  return players.flatMap((player) => {
    const id = identifierOf(player);
    return id === null || player.name === null ? [] : [{ id, name: player.name }];
  });
}

async function readCandidates({ client }: Pick<CommandContext, 'client'>): Promise<Candidate[]> {
  try {
    const { leaderboards } = (await client.listLeaderboards({ limit: leaderboardMaxRows })).data;
    const candidates = playerCandidates(leaderboards.flatMap(({ rows }) => rows.map((row) => row.player)));
    return [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()];
  } catch {
    return [];
  }
}

/**
 * The player whom a member means: by an identifier (`typed`), or by the name of somebody who stands on a leaderboard.
 * A reply when the name fits several; null when it is neither.
 */
export async function findPlayer(
  context: CommandContext,
  text: string,
): Promise<{ identifier: Identifier; typed: boolean } | Reply | null> {
  const typed = readIdentifier(text);
  if (typed !== null) return { identifier: typed, typed: true };
  const { language, pressed } = context;
  const match = pressed ? { missing: true } : resolve(await readCandidates(context), text);
  if ('ambiguous' in match) {
    const names = match.ambiguous.slice(0, 10).map((candidate) => playerName(language, candidate));
    const sentence = language.t('failure.ambiguousPlayer', {
      player: foreign(text),
      players: language.list(names),
    });
    return privateReply(failureEmbed(language, 'inputTitle', [sentence]));
  }
  const identifier = 'found' in match ? parseIdentifier(match.found.id) : null;
  return identifier === null ? null : { identifier, typed: false };
}
