import { hasAnswered, type Schedule, type Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { loggedCount, type LoggedPlayers } from './online.ts';
import { isAwayAsPlanned } from './schedule-times.ts';
import { facts, lines } from './text.ts';
import { relative } from './timestamps.ts';

export interface ServerView {
  server: Server;
  /** Null: they could not be read, or are not in the project's plan. */
  schedules: readonly Schedule[] | null;
  /** Players in the queue; null or left out: unknown. */
  queue?: number | null;
  /** A link to join the server; null or left out: there is none. */
  joinUrl?: string | null;
  /** The address that players connect to, as text to copy. */
  joinAddress?: string | null;
  /** Who is online according to the query or the log; null or left out: names are not shown. */
  players?: LoggedPlayers | readonly { name: string }[] | null;
  /** Who is online according to the log, of whom only the number is shown; null or left out: unknown. */
  logged?: LoggedPlayers | null;
}

const barCells = 12;

/** Filled and free slots as a bar. */
export function playerBar(players: number, maxPlayers: number): string {
  const share = Math.min(players / maxPlayers, 1);
  // A single player fills one cell, and only a full server fills all.
  const filled = players === 0 ? 0 : Math.max(1, share === 1 ? barCells : Math.floor(share * barCells));
  return `${'▰'.repeat(filled)}${'▱'.repeat(barCells - filled)}`;
}

const barOf = ({ players, maxPlayers }: Server): string | null =>
  players === null || !maxPlayers ? null : playerBar(players, maxPlayers);

/** Of the slots, 0 to 1; null: the server is not online, or it is unknown. */
export function shareOf({ status, players, maxPlayers }: Server): number | null {
  return status === 'ONLINE' && players !== null && maxPlayers ? Math.min(players / maxPlayers, 1) : null;
}

/** `37 / 60`, or the count alone; null: the server is not online, or it is unknown. */
export function countText(language: Language, { status, players, maxPlayers }: Server): string | null {
  if (status !== 'ONLINE' || players === null) return null;
  const count = language.number(players);
  return maxPlayers === null ? count : `${count} / ${language.number(maxPlayers)}`;
}

/** The word after `37 / 60`, which does not follow the count before the slash, or after the count alone. */
export function playersWord({ t }: Language, { players, maxPlayers }: Server): string {
  return maxPlayers === null ? t('status.playersWord', { count: players ?? 0 }) : t('status.playersOfSlots');
}

/** A single server: the count as a heading, the bar below. */
export function stateBlock(language: Language, view: ServerView, now: number): string {
  const { server, queue } = view;
  const { players, maxPlayers } = server;
  const count = countText(language, server);
  if (count === null) return stateText(language, view, now);
  const free = maxPlayers === null ? null : Math.max(maxPlayers - (players ?? 0), 0);
  return lines(
    `## ${count} ${playersWord(language, server)}`,
    barOf(server),
    facts(
      `**${language.t('state.ONLINE')}**`,
      free !== null && (free === 0 ? language.t('status.full') : language.t('status.free', { count: free })),
      queueText(language, queue),
    ),
  );
}

/** A server in a list, in one line. */
export function stateLine(language: Language, view: ServerView, now: number): string {
  const { server } = view;
  const count = countText(language, server);
  if (count === null) return stateText(language, view, now);
  const bar = barOf(server);
  return bar === null ? `**${count}**` : `${bar} **${count}**`;
}

/** The queue; null: it is empty or unknown. */
export function queueText(language: Language, queue: number | null | undefined): string | null {
  return queue ? language.t('status.queue', { count: queue }) : null;
}

/** The state of a server of which no check knows the count; its log may. */
function stateText(language: Language, view: ServerView, now: number): string {
  const { server, logged } = view;
  const mayLog = logged && server.status !== 'OFFLINE' && server.players === null;
  const count = mayLog ? loggedCount(logged) : null;
  if (mayLog && count !== null) return language.t('status.logged', { count, when: relative(logged.asOf) });
  return `**${language.t(`state.${server.status}`)}** · ${stateReason(language, view, now)}`;
}

/** Why no count is known of a server, as far as one can say. */
export function stateReason(
  { t }: Language,
  { server, schedules }: Pick<ServerView, 'server' | 'schedules'>,
  now: number,
): string {
  if (server.status === 'ONLINE') return t('status.playersUnknown');
  if (server.status === 'OFFLINE') {
    return t(isAwayAsPlanned(schedules ?? [], now) ? 'status.asPlanned' : 'status.offline');
  }
  if (server.checkedAt === null) return t('status.notChecked');
  return t(hasAnswered(server) ? 'status.couldNotCheck' : 'status.notReported');
}
