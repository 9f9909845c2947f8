import type { Client } from '../api/client-types.ts';
import { identifierOf, type Identifier } from '../api/identifiers.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import { whichPlayerEmbed } from '../embeds/failure.ts';
import { formatMetric } from '../embeds/format.ts';
import { facts } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';
import type { Candidate } from './choices.ts';
import type { CommandContext, Reply } from './command.ts';
import { privateReply } from './replies.ts';
import { mostMenuOptions } from './rows.ts';
import type { ScreenControls } from './screen.ts';
import { digestRef } from './component-id.ts';

/**
 * A player who can be found by name, on a leaderboard or in the store. The id is the store's ref, or a digest. It is not the
 * identifier, since `findPlayer` takes an identifier for one that the member typed.
 */
export interface KnownPlayer extends Candidate {
  /** Null: the service knows none, as for players of consoles. */
  identifier: Identifier | null;
  /** Null: the player is not on the play time leaderboard. */
  playSeconds: number | null;
  /** RFC 3339; null: from a leaderboard, which does not say. */
  lastSeenAt: string | null;
}

/** The players of the leaderboards, each once; of those without an identifier, each name once. @throws errors of the client */
export async function readKnownPlayers(client: Client): Promise<KnownPlayer[]> {
  const { leaderboards } = (await client.listLeaderboards({ limit: leaderboardMaxRows })).data;
  const players = new Map<string, KnownPlayer>();
  for (const { metric, rows } of leaderboards) {
    for (const { player, value } of rows) {
      const identifier = identifierOf(player);
      const { name } = player;
      if (name === null) continue;
      const key = identifier?.value ?? `name:${name}`;
      const unseen = { playSeconds: null, lastSeenAt: null };
      const known = players.get(key) ?? { id: digestRef(key), identifier, name, ...unseen };
      if (metric === 'PLAYTIME') known.playSeconds = value;
      players.set(key, known);
    }
  }
  return [...players.values()];
}

/**
 * The players who can be looked up, with hints that distinguish namesakes. Those without an identifier are looked up in the
 * store, which a bot on a remote service does not have.
 */
export function playerCandidates(
  { language, community }: Pick<CommandContext, 'language' | 'community'>,
  players: readonly KnownPlayer[],
): KnownPlayer[] {
  const usable = players.filter(({ identifier }) => identifier !== null || community.hasStore);
  return usable.map((player) => ({ ...player, hint: playerHint(language, player) }));
}

/** Distinguishes players with the same name: `76h · …5320`. */
function playerHint(language: Language, { identifier, playSeconds }: KnownPlayer): string {
  return facts(
    playSeconds !== null && formatMetric(language, 'seconds', playSeconds),
    identifier !== null && `…${identifier.value.slice(-4)}`,
  );
}

/** Asks which of several players is meant, with a menu. */
export function askWhichPlayer(
  { language }: Pick<CommandContext, 'language'>,
  controls: ScreenControls,
  text: string,
  several: readonly KnownPlayer[],
): Reply {
  const namesakes = several
    .slice(0, mostMenuOptions)
    .map((known) => ({ ...known, hint: playerHint(language, known) }))
    .toSorted((one, other) => (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''));
  // The text may be a ref, from a button or a suggestion, so the name is shown where all have the same one.
  const [first] = several;
  const asked = several.every(({ name }) => name === first?.name) ? (first?.name ?? text) : text;
  const hidden = several.length - namesakes.length;
  const embed = whichPlayerEmbed(language, asked, namesakes, hidden);
  return {
    ...privateReply(embed),
    components: controls.menu('identifier', 'placeholder.player', namesakes),
  };
}
