import type { Server } from '../../../api/resources.ts';
import type { SchedulesByServer } from '../../../commands/interfaces/community.ts';
import type { AlertRules, KindOptions } from '../../../config/schema/channel-jobs.ts';
import { optional, readBranding } from '../../../commands/reads.ts';
import { buttonRow, joinButton } from '../../../commands/rows.ts';
import { branded, colours } from '../../../embeds/branding.ts';
import { alertEmbed, type Alert, type EndedAlert } from '../../../embeds/alert.ts';
import { isAwayAsPlanned, nextRestart } from '../../../embeds/schedule-times.ts';
import type { ChannelJob, JobContext, Message, Next } from '../job.ts';
import {
  type AlertState,
  endOf,
  nextAlert,
  noState,
  type ServerObservation,
  type StandingAlert,
} from './alert-rules.ts';

/** By server id. */
type AlertStates = Readonly<Record<string, AlertState>>;

/**
 * Alerts about servers: down, full, soon to restart. An alert that cannot be sent is sent later, if it still applies. The
 * message of one that is over is edited to say so.
 */
export const alerts: ChannelJob<KindOptions<'alerts'>, AlertStates> = {
  every: 'checkEveryMs',
  async next(seen, options, before = {}) {
    const { client } = seen.project;
    const servers = (await seen.servers.read(client))?.filter(({ id }) => options.servers.includes(id));
    if (servers === undefined) return null;
    const schedules = await schedulesOf(seen, options, servers);
    const isDoubtful = seen.servers.isNetworkDoubtful();
    let states = before;
    for (const server of servers) {
      if (server.status === 'OFFLINE' && isDoubtful) continue;
      const observation = await observe(seen, server, schedules);
      const {
        state,
        unsent = state,
        message,
      } = await checkServer(seen, options, observation, states[server.id] ?? noState);
      const all = (changed: AlertState): AlertStates => ({ ...states, [server.id]: changed });
      if (message !== null) return { state: all(state), unsent: all(unsent), message };
      states = all(state);
    }
    // An alert in doubt, while its server cannot be judged. If it were dropped now and were due again later, Discord could post
    // it twice, since it remembers a nonce for a few minutes only.
    const keepsDoubt = servers.some(({ id, status }) => {
      const isUnsure = status === 'UNKNOWN' || (status === 'OFFLINE' && isDoubtful);
      return isUnsure && seen.inDoubt?.id.endsWith(`:${id}`) === true;
    });
    return { state: states, message: null, keepsDoubt };
  },
};

async function observe(
  { servers, project, now }: JobContext,
  server: Server,
  schedules: SchedulesByServer,
): Promise<ServerObservation> {
  const own = schedules.get(server.id) ?? [];
  const isDown = server.status === 'OFFLINE';
  const at = now();
  return {
    server,
    nextRestart: nextRestart(own, at),
    // Of no interest while the server answers, and it takes milliseconds for each schedule.
    isAwayAsPlanned: isDown && isAwayAsPlanned(own, at),
    lastAnswerAt: isDown ? await servers.lastAnswer(project.community, server.id) : null,
    now: at,
  };
}

/** The first message that is due about a server: the end of an alert, or a new one. */
async function checkServer(
  seen: JobContext,
  rules: AlertRules,
  observation: ServerObservation,
  before: AlertState,
): Promise<Next<AlertState>> {
  const { server, now } = observation;
  const idOf = (kind: Alert['kind']): string => `${kind}:${server.id}`;
  for (const [kind, standing] of Object.entries(before.standing) as [Alert['kind'], StandingAlert][]) {
    const ended = standing.ended ?? endOf(standing, rules, before, observation);
    if (ended === null) continue;
    const { [kind]: _, ...others } = before.standing;
    const message = await messageOf(seen, server, ended, standing.roleId);
    return {
      state: { ...before, standing: others },
      // The next check tries again, and the alert ended when it did.
      unsent: { ...before, standing: { ...before.standing, [kind]: { ...standing, ended } } },
      message: { ...message, as: 'end', id: idOf(kind) },
    };
  }
  const { state, unsent, due } = nextAlert(rules, before, observation);
  if (due === null) return { state, message: null };
  const { alert, event, roleId } = due;
  const { kind } = alert;
  const isStanding = kind !== 'up';
  const standing = { ...state.standing, ...(isStanding && { [kind]: { alert, sentAt: now, roleId } }) };
  const message = await messageOf(seen, server, alert, roleId);
  return {
    state: { ...state, standing },
    unsent,
    message: { ...message, as: isStanding ? 'standing' : 'once', id: idOf(kind), event },
  };
}

async function messageOf(
  { project: { client, community }, language }: JobContext,
  server: Server,
  alert: Alert | EndedAlert,
  roleId: string | undefined,
): Promise<Message> {
  const embed = branded(await readBranding(client), alertEmbed(language, server, alert), colours.gold);
  const join = alert.kind === 'players' ? joinButton(language, community.joinUrl(server.id)) : [];
  return { embed, links: buttonRow(...join), roleId };
}

/** Schedules of the servers whose restarts are announced, and of those that are down. */
async function schedulesOf(
  { project: { community } }: JobContext,
  { restart, down }: AlertRules,
  servers: readonly Server[],
): Promise<SchedulesByServer> {
  const wanted = servers
    .filter(({ status }) => restart !== undefined || (down !== undefined && status === 'OFFLINE'))
    .map(({ id }) => id);
  return wanted.length === 0 ? new Map() : await optional(community.schedules(wanted), new Map());
}
