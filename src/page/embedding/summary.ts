import { hasAnswered, type Schedule, type Server } from '../../api/resources.ts';
import { awayMs, isAwayAsPlanned, nextOccurrences } from '../../embeds/schedule-times.ts';
import { textLimits } from '../../embeds/limits.ts';
import { plain } from '../../embeds/text.ts';
import { plainName } from '../plain-name.ts';

/*
 * The state of all servers in the form that dashboards of status pages read: Statuspage's API v2, as
 * https://www.githubstatus.com/api/v2/summary.json gives it. In English, like the words of that form.
 */

export interface SummaryServer {
  server: Server;
  /** Null: they could not be read. */
  schedules: readonly Schedule[] | null;
  /** When it last answered, for one that is offline; epoch milliseconds, null: not known. */
  downSince: number | null;
  /** Its page; null: this service has no public address. */
  url: string | null;
}

interface SummaryInput {
  project: { id: string; name: string; url: string | null };
  servers: readonly SummaryServer[];
  /** Epoch milliseconds. */
  now: number;
}

const minuteMs = 60_000;

/** For how long something scheduled is taken to go on: a schedule says no end, and this form asks for one. */
const assumedMs = {
  RESTART: awayMs,
  MAINTENANCE: 60 * minuteMs,
  WIPE: 60 * minuteMs,
} as const satisfies Partial<Record<Schedule['kind'], number>>;

type ComponentStatus = 'operational' | 'degraded_performance' | 'major_outage' | 'under_maintenance';

const indicators = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major Service Outage',
} as const;
const nothingReported = 'No Server Reports Its State';

interface Maintenance {
  id: string;
  name: string;
  from: number;
  until: number;
}

const iso = (time: number): string => new Date(time).toISOString();

/** What is scheduled for a server next, or now. */
function maintenancesOf({ server, schedules }: SummaryServer, now: number): Maintenance[] {
  return (schedules ?? []).flatMap((schedule, place) => {
    const lasts = schedule.kind in assumedMs ? assumedMs[schedule.kind as keyof typeof assumedMs] : null;
    const [from] = lasts === null ? [] : nextOccurrences(schedule, now - lasts, 1);
    if (lasts === null || from === undefined) return [];
    const title = plain(schedule.title, textLimits.title) || schedule.kind.toLowerCase();
    const id = `${server.id}-${place}-${from / 1000}`;
    return [{ id, name: `${title} · ${plainName(server)}`, from, until: from + lasts }];
  });
}

function statusOf({ status }: Server, maintained: boolean): ComponentStatus {
  if (status === 'ONLINE') return 'operational';
  if (maintained) return 'under_maintenance';
  return status === 'OFFLINE' ? 'major_outage' : 'degraded_performance';
}

function indicatorOf(statuses: readonly ComponentStatus[]): keyof typeof indicators {
  const has = (status: ComponentStatus) => statuses.includes(status);
  if (has('major_outage')) return statuses.every((each) => each === 'major_outage') ? 'critical' : 'major';
  if (has('degraded_performance')) return 'minor';
  return has('under_maintenance') ? 'maintenance' : 'none';
}

export function summaryOf({ project, servers, now }: SummaryInput): object {
  const pageId = project.id;
  // This form has no word for a state that nothing reports, as of servers on some consoles; and what never was on is not out.
  const reported = servers.filter(({ server }) => hasAnswered(server));
  const read = reported.map((each, index) => {
    const { server, url } = each;
    const maintenances = maintenancesOf(each, now);
    const checked = server.checkedAt ?? iso(now);
    const component = {
      id: server.id,
      name: plainName(server),
      status: statusOf(
        server,
        maintenances.some(({ from }) => from <= now) || isAwayAsPlanned(each.schedules ?? [], now),
      ),
      // The contract does not say since when a server exists.
      created_at: checked,
      updated_at: checked,
      position: index + 1,
      description: null,
      showcase: false,
      start_date: null,
      group_id: null,
      page_id: pageId,
      group: false,
      only_show_if_degraded: false,
    };
    return { ...each, component, checked, maintenances, url };
  });

  const incidents = read
    .filter(({ component }) => component.status === 'major_outage')
    .map(({ component, checked, downSince, url }) => {
      const since = downSince === null ? checked : iso(downSince);
      const id = `${component.id}-down${downSince === null ? '' : `-${downSince / 1000}`}`;
      const update = {
        id: `${id}-1`,
        status: 'investigating',
        body: 'The server is not responding.',
        incident_id: id,
        created_at: since,
        updated_at: since,
        display_at: since,
        affected_components: [
          {
            code: component.id,
            name: component.name,
            old_status: 'operational',
            new_status: component.status,
          },
        ],
      };
      return {
        id,
        name: `${component.name} is not responding`,
        status: 'investigating',
        impact: 'major',
        created_at: since,
        updated_at: since,
        started_at: since,
        monitoring_at: null,
        resolved_at: null,
        shortlink: url,
        page_id: pageId,
        incident_updates: [update],
        components: [component],
      };
    });

  const scheduled = read.flatMap(({ component, checked, maintenances, url }) =>
    maintenances.map(({ id, name, from, until }) => ({
      id,
      name,
      status: from <= now ? 'in_progress' : 'scheduled',
      impact: 'maintenance',
      created_at: checked,
      updated_at: checked,
      started_at: iso(from),
      monitoring_at: null,
      resolved_at: null,
      scheduled_for: iso(from),
      scheduled_until: iso(until),
      shortlink: url,
      page_id: pageId,
      incident_updates: [],
      components: [component],
    })),
  );

  const indicator = indicatorOf(read.map(({ component }) => component.status));
  return {
    page: {
      id: pageId,
      name: plain(project.name, textLimits.serverName),
      url: project.url,
      time_zone: 'Etc/UTC',
      updated_at:
        read
          .map(({ checked }) => checked)
          .toSorted()
          .at(-1) ?? iso(now),
    },
    status: { indicator, description: read.length === 0 ? nothingReported : indicators[indicator] },
    components: read.map(({ component }) => component),
    incidents,
    scheduled_maintenances: scheduled.toSorted((one, other) =>
      one.scheduled_for.localeCompare(other.scheduled_for),
    ),
  };
}
