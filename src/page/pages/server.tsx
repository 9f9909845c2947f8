import type { VNode } from 'preact';
import type { Schedule } from '../../api/resources.ts';
import { ranges } from '../../embeds/chart/axis.ts';
import { kindEmoji, ruleText } from '../../embeds/schedule.ts';
import { nextOccurrences } from '../../embeds/schedule-times.ts';
import { Chart, type ChartProps } from '../parts/chart.tsx';
import { Cards, Crumb, Moment, Name, Section } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { ServerCard } from '../parts/server-card.tsx';
import { calendarPath } from '../paths.ts';
import { previewOf } from '../preview/link-preview.tsx';
import { readShownServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, nameOr, type View } from '../view.ts';

const shownRanges = ['24h', '7d'] as const;

/** A server: its state, player counts over time, and its schedule. */
export const server: ProjectRoute = {
  path: '/servers/:server',
  async make(context) {
    const { project, view, params, history } = context;
    const [shown] = await readShownServers(project, params['server']);
    if (shown === undefined) return null;
    const { id, name } = shown.server;
    const reading = shownRanges.map(async (range): Promise<ChartData> => {
      const { spanMs, stepMs } = ranges[range];
      return { range, history: await history(id, view.now - spanMs, view.now, stepMs) };
    });
    const charts = (await Promise.all(reading)).filter((chart) =>
      chart.history.buckets.some(({ players }) => players !== null),
    );
    return page({
      view,
      title: nameOr(name, id),
      head: await previewOf(context, [shown], id),
      children: <ServerPage view={view} shown={shown} charts={charts} />,
    });
  },
};

type ChartData = Pick<ChartProps, 'range' | 'history'>;

function ServerPage(props: { view: View; shown: ShownServer; charts: readonly ChartData[] }): VNode {
  const { view, shown, charts } = props;
  const { t } = view.language;
  const { server, schedules } = shown;
  return (
    <>
      <Crumb view={view} />
      <ServerCard view={view} shown={shown} heading="h1" />
      <Section id="history" title={t('site.history')}>
        <div class="card charts">
          {charts.length === 0 && <p>{t('site.noHistory')}</p>}
          {charts.map((chart) => (
            <Chart {...chart} {...shown} view={view} />
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
              <ScheduleCard view={view} schedule={schedule} />
            ))}
          </Cards>
        </Section>
      )}
    </>
  );
}

const shownTimes = 3;

function ScheduleCard({ view, schedule }: { view: View; schedule: Schedule }): VNode {
  const { language, now } = view;
  const { kind, title, description, recurrence } = schedule;
  // The rules of the others name an hour in the server's zone, while the times below are in the visitor's.
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
