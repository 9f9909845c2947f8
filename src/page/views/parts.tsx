import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import type { LeaderboardRow, Schedule, Server } from '../../api/resources.ts';
import { relativeTime } from '../../embeds/format.ts';
import { mapName } from '../../embeds/maps.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import { oldCheck } from '../../embeds/status.ts';
import { playersWord, stateReason } from '../../embeds/server-state.ts';
import { plain } from '../../embeds/text.ts';
import type { BoardPlayers } from '../board-players.ts';
import { playerPath } from '../paths.ts';
import { dateAndTime } from '../times.ts';
import { href, nameOr, type View } from '../view.ts';

/** A moment that is to come or past, in words and in full. */
export function Moment({ view, at, timezone }: { view: View; at: number; timezone: string }): VNode {
  const { language, now } = view;
  const iso = new Date(at).toISOString();
  return (
    <span class="moment">
      <time dateTime={iso} data-t="relative">
        {relativeTime(language, at, now)}
      </time>{' '}
      <time class="dim" dateTime={iso} data-t="full">
        {dateAndTime(language, at, timezone)}
      </time>
    </span>
  );
}

/** A name that may be of any script, kept apart from the text around it. */
export function Name({ text, otherwise }: { text: string | null; otherwise: string }): VNode {
  return <bdi>{nameOr(text, otherwise)}</bdi>;
}

interface ServerCardProps {
  view: View;
  server: Server;
  schedules: readonly Schedule[];
  /** What players connect to, to copy. */
  address?: string | null;
  /** IANA time zone of the server, to be named: other times on the page do not name theirs. */
  timezone?: string;
  /** The server's name. */
  heading: VNode;
  /** What can be done. */
  children?: ComponentChildren;
}

/** A server with its state, its players and what is known besides. */
export function ServerCard(props: ServerCardProps): VNode {
  const { view, server, schedules, address = null, timezone, heading, children } = props;
  const { t } = view.language;
  const restart = nextRestart(schedules, view.now);
  const old = oldCheck([server], view.now);
  return (
    <article class="card server" data-state={server.status}>
      <header>
        {heading}
        <span class="state">{t(`state.${server.status}`)}</span>
      </header>
      {server.status !== 'ONLINE' && server.checkedAt !== null && (
        <p class="reason dim">{stateReason(view.language, { server, schedules }, view.now)}</p>
      )}
      <Players view={view} server={server} />
      <Facts
        facts={[
          [t('status.map'), mapName(server.map, (text) => plain(text, 60))],
          [
            t('status.nextRestart'),
            restart === null ? null : <Moment view={view} at={restart.at} timezone={restart.timezone} />,
          ],
          [t('status.address'), address === null ? null : <code>{address}</code>],
          [
            t('status.lastChecked'),
            old === null ? null : (
              <Moment view={view} at={old} timezone={timezone ?? restart?.timezone ?? 'UTC'} />
            ),
          ],
          [t('site.zone'), timezone === undefined ? null : <span data-zone>{timezone}</span>],
        ]}
      />
      {children}
    </article>
  );
}

/** `37 / 60` with a bar. */
function Players({ view, server }: { view: View; server: Server }): VNode {
  const { number } = view.language;
  const { players, maxPlayers } = server;
  const share = players === null || !maxPlayers ? 0 : Math.min(players / maxPlayers, 1);
  return (
    <div class="players">
      <p>
        <strong>{players === null ? '–' : number(players)}</strong>
        <span class="dim">
          {maxPlayers !== null && ` / ${number(maxPlayers)}`} {playersWord(view.language, server)}
        </span>
      </p>
      <ShareBar share={share} />
    </div>
  );
}

/** A share from 0 to 1 as a bar, for those who see it: the figure stands beside it. */
export function ShareBar({ share }: { share: number }): VNode {
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="slots" width="100" height="6" />
      <rect class="taken" width={Math.round(share * 1000) / 10} height="6" />
    </svg>
  );
}

/** What is known of something: names and values, without those that are null. */
function Facts({ facts }: { facts: readonly (readonly [string, ComponentChild])[] }): VNode | null {
  const known = facts.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl>
      {known.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function JoinButton({ view, server }: { view: View; server: Server }): VNode {
  return (
    <p class="actions">
      <a class="button" href={`/join/${encodeURIComponent(server.id)}`} rel="nofollow">
        {view.language.t('button.join')}
        <span class="hidden">
          {' '}
          <Name text={server.name} otherwise={server.id} />
        </span>
      </a>
    </p>
  );
}

/** A player's name, with a link to the player's page if there is one. */
export function PlayerLink(props: { view: View; row: LeaderboardRow; players: BoardPlayers }): VNode {
  const { view, row, players } = props;
  const key = players.keyOf(row);
  const name = <Name text={row.player.name} otherwise={view.language.t('player.nameless')} />;
  return <span class="name">{key === null ? name : <a href={href(view, playerPath(key))}>{name}</a>}</span>;
}

/** The way back to the project's first page. */
export function Crumb({ view }: { view: View }): VNode {
  return (
    <p class="crumb">
      <a href={href(view, '')}>← {view.language.t('site.home')}</a>
    </p>
  );
}
