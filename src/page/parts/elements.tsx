import type { ComponentChildren, VNode } from 'preact';
import type { LeaderboardRow } from '../../api/resources.ts';
import { relativeTime } from '../../embeds/format.ts';
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

/** A share from 0 to 1 as a bar, for those who see it: the figure is beside it. */
export function ShareBar({ share }: { share: number }): VNode {
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="slots" width="100" height="6" />
      <rect class="taken" width={Math.round(share * 1000) / 10} height="6" />
    </svg>
  );
}

/** A player's name, with a link to the player's page if there is one. */
export function PlayerLink(props: { view: View; row: LeaderboardRow; players: BoardPlayers }): VNode {
  const { view, row, players } = props;
  const key = players.keyOf(row);
  const name = <Name text={row.player.name} otherwise={view.language.t('player.nameless')} />;
  return <span class="name">{key === null ? name : <a href={href(view, playerPath(key))}>{name}</a>}</span>;
}

/** A part of a page under a heading. @param id of the heading, which names the part to screen readers */
export function Section(props: { id: string; title: string; children: ComponentChildren }): VNode {
  const { id, title, children } = props;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A list of cards. @param kind of those that are laid out otherwise than servers */
export function Cards({ kind, children }: { kind?: 'boards'; children: VNode[] }): VNode {
  return (
    <ul class={kind === undefined ? 'cards' : `cards ${kind}`}>
      {children.map((card) => (
        <li>{card}</li>
      ))}
    </ul>
  );
}

/** The way back to the project's first page. */
export function Crumb({ view }: { view: View }): VNode {
  return (
    <p class="crumb">
      <a href={href(view, '')}>← {view.language.t('site.home')}</a>
    </p>
  );
}
