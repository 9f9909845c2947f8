import type { VNode } from 'preact';
import { boardMetrics, type BoardMetric } from '../../api/log-metrics.ts';
import type { Player } from '../../api/resources.ts';
import {
  cardContent,
  leastFullDaySeconds,
  rankText,
  type CardContent,
  type Tile,
} from '../../embeds/card/content.ts';
import { findListed } from '../board-players.ts';
import { Crumb, Name, slot, TimedText } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { boardPath, cardPath, playerPath } from '../paths.ts';
import { previewTags } from '../preview/link-preview.tsx';
import { readBoards } from '../project.ts';
import { crossOrigin, type ProjectRoute, type RouteContext } from '../route.ts';
import { href, type View } from '../view.ts';

const path = '/players/:player';

/** The page of a player who is on a leaderboard, and its picture: the player's card, as the bot draws it. */
export const playerRoutes: readonly ProjectRoute[] = [
  {
    path,
    async make(context) {
      const found = await findPlayer(context);
      if (found === null) return null;
      const { view, params } = context;
      const { player, card } = found;
      const key = params['player'] ?? '';
      const image = { path: cardPath(key), content: [card, view.project.logo?.version] };
      const head = previewTags(view, { path: playerPath(key), title: card.name, alt: card.alt, image });
      return page({ view, title: card.name, head, children: <PlayerPage {...{ view, player, card }} /> });
    },
  },
  {
    path: `${path}/card.png`,
    async make(context) {
      const found = await findPlayer(context);
      if (found === null) return null;
      const { logo, accentColor } = context.view.project;
      const accent = Number.parseInt(accentColor.slice(1), 16);
      const body = await context.drawOnce([found.card, accent, logo?.version], async (code) =>
        code.drawCard(found.card, { accent, logo: logo && (await code.readLogo(logo.body)) }),
      );
      return body === null ? null : { type: 'image/png', body, headers: crossOrigin };
    },
  },
];

/** Null: the page shows no players, none on a leaderboard has this key, or this one was hidden or forgotten since. */
async function findPlayer(context: RouteContext) {
  const { project, view, params } = context;
  const boards = view.players ? await readBoards(project) : null;
  if (boards === null) return null;
  const reference = await findListed(context, boards, params['player'] ?? '');
  const listed = reference && (await project.player(reference));
  if (listed === null) return null;
  const branding = { name: view.project.title };
  return { player: listed.player, card: cardContent(view.language, { ...listed, branding }) };
}

function PlayerPage(props: { view: View; player: Player; card: CardContent }): VNode {
  const { view, player, card } = props;
  const { t } = view.language;
  const seenLine = (text: string, at: string | null): VNode | null =>
    at === null ? null : (
      <p class="dim">
        <TimedText view={view} text={text} at={[Date.parse(at)]} form="date" />
      </p>
    );
  return (
    <>
      <Crumb view={view} />
      <article class="card profile">
        <header>
          <h1>
            <Name text={player.name} otherwise={t('player.nameless')} />
          </h1>
          {seenLine(t('player.lastSeen', { when: slot }), player.lastSeenAt)}
          {seenLine(t('player.firstSeen', { when: slot }), player.firstSeenAt)}
        </header>
        {card.note !== null && <p>{card.note}</p>}
        <dl class="tiles">
          {card.tiles.map(({ code, label, value, rank }) => (
            <div>
              <dt>
                {isOnBoards(code) ? <a href={href(view, boardPath(code))}>{label}</a> : label}{' '}
                {rank !== null && <strong>{rankText(rank)}</strong>}
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {card.activity !== null && <Activity {...card.activity} />}
      </article>
    </>
  );
}

const isOnBoards = (code: Tile['code']): code is BoardMetric =>
  (boardMetrics as readonly string[]).includes(code);

const dayWidth = 10;

/** A square for each day, the fuller the longer the player was on. */
function Activity({ title, text, days }: NonNullable<CardContent['activity']>): VNode {
  const most = Math.max(...days, leastFullDaySeconds);
  return (
    <figure>
      <figcaption>
        {title} <span class="dim">{text}</span>
      </figcaption>
      <svg
        width="100%"
        height="28"
        viewBox={`0 0 ${days.length * dayWidth - 2} 12`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map((seconds, index) => (
          <rect
            class={seconds > 0 ? 'taken' : 'slots'}
            x={index * dayWidth}
            width={dayWidth - 2}
            height="12"
            {...(seconds > 0 && { opacity: (0.35 + 0.65 * (seconds / most)).toFixed(2) })}
          />
        ))}
      </svg>
    </figure>
  );
}
