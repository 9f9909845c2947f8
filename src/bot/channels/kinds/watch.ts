import type { Arrivals } from '../../../commands/ports/watch-list.ts';
import { arrivalEmbed, newPlayersEmbed } from '../../../embeds/arrival.ts';
import { type ChannelJob, type JobContext, type Outgoing, readSpan, spanOf } from '../job.ts';
import {
  isAbout,
  nextArrivals,
  type NextArrivals,
  readTooLate,
  roleOf,
  shownIn,
  type WatchOptions,
} from './arrival-rules.ts';

interface WatchState {
  /** Every arrival up to this id is posted or skipped. */
  passed: number;
}

const pageSize = 100;

/** Alerts about players who come on. Each arrival that is stored after the job was set up is posted once. */
export const watch: ChannelJob<WatchOptions, WatchState> = {
  kind: 'watch',
  name: 'alert about players',
  keepsMessage: false,
  when: (_, { feedPollMs }) => ({ everyMs: feedPollMs }),
  needsStore: true,
  async next(seen, options, state) {
    const arrivals = seen.project.community.arrivals;
    if (state === undefined) return { state: { passed: await arrivals.latest() }, messages: [] };
    const { inDoubt } = seen;
    const isOpen = inDoubt !== null && readSpan(inDoubt.event).last > state.passed;
    const next = isOpen
      ? await readAgain(options, arrivals, inDoubt)
      : await read(seen, options, arrivals, state.passed);
    const passed = next.through;
    // None are left where they were forgotten meanwhile.
    if (next.arrivals.length === 0) return { state: { passed }, messages: [] };
    return { state: { passed }, messages: [await messageOf(seen, options, next)] };
  },
};

/** What is due after an id. */
async function read(
  seen: JobContext,
  options: WatchOptions,
  arrivals: Arrivals,
  passed: number,
): Promise<NextArrivals> {
  for (let from = passed; ;) {
    const page = await arrivals.after(from, pageSize);
    reportLate(seen, readTooLate(options, page));
    const next = nextArrivals(options, page, seen.now());
    if (typeof next !== 'number') return await withKills(options, arrivals, next);
    if (page.length < pageSize) return { arrivals: [], through: page.length === 0 ? from : next };
    from = next;
  }
}

/** What a message in doubt is about, without who was forgotten since. */
async function readAgain(
  options: WatchOptions,
  arrivals: Arrivals,
  { event }: NonNullable<JobContext['inDoubt']>,
): Promise<NextArrivals> {
  const { first, last } = readSpan(event);
  const page = await arrivals.after(first - 1, pageSize);
  const shown = page
    .filter((arrival) => arrival.id <= last && isAbout(options, arrival))
    .flatMap((arrival) => shownIn(options, arrival) ?? []);
  return await withKills(options, arrivals, { arrivals: shown, through: last });
}

/** A message about one player has the latest kills, if it is for moderators. */
async function withKills(
  options: WatchOptions,
  arrivals: Arrivals,
  next: NextArrivals,
): Promise<NextArrivals> {
  const [first, another] = next.arrivals;
  if (first === undefined || first.isNew || another !== undefined) return next;
  const whole = await arrivals.get(first.id);
  const shown = whole === null ? null : shownIn(options, whole);
  return { ...next, arrivals: shown === null ? [] : [shown] };
}

function reportLate({ warnOnce }: JobContext, late: number): void {
  if (late === 0) return;
  warnOnce(
    'late',
    `alert about players: ${late} came on more than an hour before their log was read, and have left since, so they are left out; if Outpost or the log was not away, check the timezone of the server`,
  );
}

async function messageOf(
  { language, project, now }: JobContext,
  options: WatchOptions,
  { arrivals, through }: NextArrivals,
): Promise<Outgoing> {
  const answer = await project.client.listServers().catch(() => null);
  const names = new Map(answer?.data.servers.map((server) => [server.id, server.name]));
  const serverOf = (id: string): string => names.get(id) ?? id;
  const first = arrivals[0]!;
  const embed =
    arrivals.length === 1
      ? arrivalEmbed(language, serverOf(first.serverId), first)
      : newPlayersEmbed(
          language,
          arrivals.map((arrival) => ({ ...arrival, server: serverOf(arrival.serverId) })),
        );
  return {
    id: 'arrivals',
    as: 'once',
    event: spanOf(first.id, through),
    embed,
    roleId: roleOf(options, first, now()),
    players: [...new Set(arrivals.flatMap(({ players }) => players))],
    forModerators: arrivals.some(({ isNew }) => !isNew),
  };
}
