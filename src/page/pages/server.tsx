import type { VNode } from 'preact';
import type { Schedule } from '../../api/resources.ts';
import { ranges, type ChartRange } from '../../embeds/chart/axis.ts';
import type { ServerHistory } from '../../embeds/chart/history.ts';
import { kindEmoji, ruleText } from '../../embeds/schedule.ts';
import { nextOccurrences } from '../../embeds/schedule-times.ts';
import { Chart } from '../parts/chart.tsx';
import { Cards, Crumb, Moment, Name, Section } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { JoinButton, ServerCard } from '../parts/server-card.tsx';
import { calendarPath } from '../paths.ts';
import { previewOf } from '../preview/link-preview.tsx';
import { readServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, nameOr, type View } from '../view.ts';

const shownRanges = ['24h', '7d'] as const satisfies ChartRange[];
type Histories = Readonly<Record<(typeof shownRanges)[number], ServerHistory>>;

/** A server: its state, player counts over time, and its schedule. */
export const server: ProjectRoute = {
  path: '/servers/:server',
  async make(context) {
    const { project, view, params, history } = context;
    const [shown] = await readServers(project, params['server']);
    if (shown === undefined) return null;
    const { id, name } = shown.server;
    const read = shownRanges.map(async (range) => {
      const { spanMs, stepMs } = ranges[range];
      return [range, await history(id, view.now - spanMs, view.now, stepMs)] as const;
    });
    const histories = Object.fromEntries(await Promise.all(read)) as Histories;
    return page({
      view,
      title: nameOr(name, id),
      head: await previewOf(context, [shown], id),
      children: <ServerPage view={view} shown={shown} histories={histories} />,
    });
  },
};

interface ServerProps {
  view: View;
  shown: ShownServer;
  histories: Histories;
}

function ServerPage({ view, shown, histories }: ServerProps): VNode {
  const { t } = view.language;
  const { server, schedules } = shown;
  const heading = (
    <h1>
      <Name text={server.name} otherwise={server.id} />
    </h1>
  );
  const known = shownRanges.filter((range) =>
    histories[range].buckets.some(({ players }) => players !== null),
  );
  return (
    <>
      <Crumb view={view} />
      <ServerCard view={view} shown={shown} heading={heading}>
        <JoinButton view={view} shown={shown} />
      </ServerCard>
      <Section id="history" title={t('site.history')}>
        <div class="card charts">
          {known.length === 0 && <p>{t('site.noHistory')}</p>}
          {known.map((range) => (
            <Chart
              view={view}
              title={t(ranges[range].title)}
              alt={`${t('chart.alt', { servers: nameOr(server.name, server.id) })} · ${t(ranges[range].title)}`}
              range={range}
              history={histories[range]}
              restarts={restartsIn(schedules, view.now - ranges[range].spanMs, view.now)}
            />
          ))}
        </div>
      </Section>
      {schedules.length > 0 && (
        <Section id="schedule" title={t('schedule.title')}>
          <p class="crumb">
            <a href={href(view, calendarPath(server.id))}>{t('preview.calendar')}</a>
          </p>
          <Cards>
            {schedules.map((schedule) => (
              <Entry view={view} schedule={schedule} />
            ))}
          </Cards>
        </Section>
      )}
    </>
  );
}

/** More lines would hide the curve. */
const mostRestarts = 14;

/** When a server was to restart in a span; none if that was so often that marks would hide the curve. */
function restartsIn(schedules: readonly Schedule[], from: number, to: number): number[] {
  const starts = schedules
    .filter(({ kind }) => kind === 'RESTART')
    .flatMap((schedule) => nextOccurrences(schedule, from, mostRestarts + 1));
  const within = starts.filter((at) => at < to);
  return within.length > mostRestarts ? [] : within;
}

const shownTimes = 3;

/** A schedule with its next times. */
function Entry({ view, schedule }: { view: View; schedule: Schedule }): VNode {
  const { language, now } = view;
  const { kind, title, description, recurrence } = schedule;
  // Others name an hour of the server's zone.
  const rule = recurrence === 'INTERVAL' ? ruleText(language, schedule) : null;
  const times = nextOccurrences(schedule, now, shownTimes);
  return (
    <article class="card">
      <h3>
        <span aria-hidden="true">{kindEmoji[kind]}</span>{' '}
        <Name text={title} otherwise={language.t(`kind.${kind}`)} />
      </h3>
      {description !== null && <p>{nameOr(description, '')}</p>}
      {times.length === 0 && <p>{language.t('schedule.noOccurrence')}</p>}
      <ul class="times">
        {times.map((at) => (
          <li>
            <Moment view={view} at={at} />
          </li>
        ))}
      </ul>
      {rule !== null && <p class="dim">{rule}</p>}
    </article>
  );
}
