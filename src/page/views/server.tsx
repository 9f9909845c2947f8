import type { VNode } from 'preact';
import type { Schedule, Server } from '../../api/resources.ts';
import { ranges, type ChartRange } from '../../embeds/chart/axis.ts';
import type { ServerHistory } from '../../embeds/chart/history.ts';
import { kindEmoji, ruleText } from '../../embeds/schedule.ts';
import { nextOccurrences } from '../../embeds/schedule-times.ts';
import { calendarPath } from '../paths.ts';
import { href, nameOr, type View } from '../view.ts';
import { Chart } from './chart.tsx';
import { Crumb, JoinButton, Moment, Name, ServerCard } from './parts.tsx';

interface ServerProps {
  view: View;
  server: Server;
  schedules: readonly Schedule[];
  canJoin: boolean;
  joinAddress: string | null;
  histories: Readonly<Record<ChartRange, ServerHistory>>;
}

const shownTimes = 3;

export function ServerPage(props: ServerProps): VNode {
  const { view, server, schedules, canJoin, joinAddress, histories } = props;
  const { t } = view.language;
  const name = nameOr(server.name, server.id);
  const heading = (
    <h1>
      <Name text={server.name} otherwise={server.id} />
    </h1>
  );
  const shown = (['24h', '7d'] as const).filter((range) =>
    histories[range].buckets.some(({ players }) => players !== null),
  );
  return (
    <>
      <Crumb view={view} />
      <ServerCard
        view={view}
        server={server}
        schedules={schedules}
        address={joinAddress}
        timezone={histories['24h'].timezone}
        heading={heading}
      >
        {canJoin && <JoinButton view={view} server={server} />}
      </ServerCard>
      <section aria-labelledby="history">
        <h2 id="history">{t('site.history')}</h2>
        <div class="card charts">
          {shown.length === 0 && <p>{t('site.noHistory')}</p>}
          {shown.map((range) => (
            <Chart
              view={view}
              title={t(ranges[range].title)}
              alt={`${t('chart.alt', { servers: name })} · ${t(ranges[range].title)}`}
              range={range}
              history={histories[range]}
            />
          ))}
        </div>
      </section>
      {schedules.length > 0 && (
        <section aria-labelledby="schedule">
          <h2 id="schedule">{t('schedule.title')}</h2>
          <p class="crumb">
            <a href={href(view, calendarPath(server.id))}>{t('preview.calendar')}</a>
          </p>
          <ul class="cards">
            {schedules.map((schedule) => (
              <li>
                <Entry view={view} schedule={schedule} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A schedule with its next times. */
function Entry({ view, schedule }: { view: View; schedule: Schedule }): VNode {
  const { language, now } = view;
  const { kind, title, description, timezone } = schedule;
  const rule = ruleText(language, schedule, timezone);
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
            <Moment view={view} at={at} timezone={timezone} />
          </li>
        ))}
      </ul>
      {rule !== null && <p class="dim">{rule}</p>}
    </article>
  );
}
