import { DateTime } from 'luxon';
import type { ComponentChildren, VNode } from 'preact';
import type { BoardMetric } from '../../api/log-metrics.ts';
import { relativeTime } from '../../embeds/format.ts';
import { medalOf } from '../../embeds/top.ts';
import type { ListedRow } from '../board-players.ts';
import { playerPath } from '../paths.ts';
import { href, nameOr, type View } from '../view.ts';

/** `Fri, 27 Nov, 20:00`, and `27 Nov 2026`. */
const formats = {
  full: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type DateForm = keyof typeof formats;

/** A moment, which the browser's script keeps up to date and puts into the visitor's zone. */
function Time({ view, at, form }: { view: View; at: number; form: DateForm | 'relative' }): VNode {
  const { language, now, zone } = view;
  const local = DateTime.fromMillis(at, { zone, locale: language.locale });
  return (
    <time dateTime={new Date(at).toISOString()} data-t={form}>
      {form === 'relative' ? relativeTime(language, at, now) : local.toLocaleString(formats[form])}
    </time>
  );
}

/** `in 2 h 5 min` or `3 days ago`, and the moment itself. */
export function Moment({ view, at }: { view: View; at: number }): VNode {
  return (
    <span class="moment">
      <Time view={view} at={at} form="relative" />{' '}
      <span class="dim">
        <Time view={view} at={at} form="full" />
      </span>
    </span>
  );
}

/** Stands in a text for a moment, which `TimedText` puts in its place. */
export const slot = '\0';

/** A text with these moments in its slots, in their order. */
export function TimedText(props: { view: View; text: string; at: readonly number[]; form: DateForm }): VNode {
  const { view, text, at, form } = props;
  const [first, ...others] = text.split(slot);
  const rest = others.map((part, index) => [<Time view={view} at={at[index] ?? 0} form={form} />, part]);
  return (
    <>
      {first}
      {rest}
    </>
  );
}

/** A name that may be of any script, kept apart from the text around it. */
export function Name({ text, otherwise }: { text: string | null; otherwise: string }): VNode {
  return <bdi>{nameOr(text, otherwise)}</bdi>;
}

/** A share from 0 to 1 as a bar. Screen readers skip it: the figure is beside it. */
export function ShareBar({ share }: { share: number }): VNode {
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="slots" width="100" height="6" />
      <rect class="taken" width={Math.round(share * 1000) / 10} height="6" />
    </svg>
  );
}

/** A player's name, which links to the player's page if there is one. */
export function PlayerLink({ view, row: { player, key } }: { view: View; row: ListedRow }): VNode {
  const name = <Name text={player.name} otherwise={view.language.t('player.nameless')} />;
  return <span class="name">{key === null ? name : <a href={href(view, playerPath(key))}>{name}</a>}</span>;
}

/** The medal of a rank, or its number. */
export function Rank({ view, metric, rank }: { view: View; metric: BoardMetric; rank: number }): string {
  return medalOf(metric, rank) ?? view.language.number(rank);
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

export function Cards({ children }: { children: VNode[] }): VNode {
  return (
    <ul class="cards">
      {children.map((card) => (
        <li>{card}</li>
      ))}
    </ul>
  );
}

type Tab = readonly [address: string, text: string, isHere: boolean];

/** Links of which one is this page. @param label what they choose, for screen readers */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): VNode {
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {tabs.map(([address, text, isHere]) => (
          <li>
            <a
              class={isHere ? 'button' : 'button quiet'}
              href={address}
              aria-current={isHere ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The link back to the first page. */
export function Crumb({ view }: { view: View }): VNode {
  return (
    <p class="crumb">
      <a href={href(view, '')}>← {view.language.t('site.home')}</a>
    </p>
  );
}
