import type { Server } from '../../../api/resources.ts';
import type { SchedulesByServer } from '../../../commands/ports/community.ts';
import { optional } from '../../../commands/optional.ts';
import { readBranding } from '../../../commands/replies.ts';
import { buttonRow, joinButton } from '../../../commands/rows.ts';
import { alertEmbed, type Alert, type EndedAlert } from '../../../embeds/alert.ts';
import { isAwayAsPlanned, nextRestart } from '../../../embeds/schedule-times.ts';
import type { ChannelJob, JobContext, Next, Outgoing } from '../job.ts';
import {
  alertEvaluators,
  type AlertOptions,
  type AlertState,
  endOf,
  type ServerObservation,
  type StandingAlert,
} from './alert-rules.ts';

/** By server id. */
type AlertStates = Readonly<Record<string, AlertState>>;

const noState: AlertState = { down: null, players: null, restart: null, standing: {} };

/**
 * Alerts about servers: down, full, soon to restart. An alert that cannot be sent is sent later, if it still applies. The
 * message of one that is over is edited to say so.
 */
export const alerts: ChannelJob<AlertOptions, AlertStates> = {
  kind: 'alerts',
  name: 'alerts',
  keepsMessage: false,
  when: (_, { checkEveryMs }) => ({ everyMs: checkEveryMs }),
  needsStore: false,
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
      const checked = await checkServer(seen, options, observation, states[server.id] ?? noState);
      const all = (state: AlertState): AlertStates => ({ ...states, [server.id]: state });
      const { state, unsent = state, leftOut = state, messages } = checked;
      if (messages.length > 0)
        return { state: all(state), unsent: all(unsent), leftOut: all(leftOut), messages };
      states = all(state);
    }
    return { state: states, messages: [] };
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
    nextRestart: nextRestart(own, at)?.at ?? null,
    // Of no interest while the server answers, and it takes milliseconds for each schedule.
    isAwayAsPlanned: isDown && isAwayAsPlanned(own, at),
    lastAnswerAt: isDown ? await servers.lastAnswer(project.community, server.id) : null,
    now: at,
  };
}

/** The first message that is due about a server: the end of an alert, or a new one. */
async function checkServer(
  seen: JobContext,
  options: AlertOptions,
  observation: ServerObservation,
  before: AlertState,
): Promise<Next<AlertState>> {
  const { server, now } = observation;
  for (const [kind, standing] of Object.entries(before.standing) as [Alert['kind'], StandingAlert][]) {
    const ended = standing.ended ?? endOf(standing, options, before, observation);
    if (ended === null) continue;
    const { [kind]: _, ...others } = before.standing;
    const message = await messageOf(seen, server, { as: 'end', kind, alert: ended, roleId: standing.roleId });
    return {
      state: { ...before, standing: others },
      // The next check tries again, and the alert ended when it did.
      unsent: { ...before, standing: { ...before.standing, [kind]: { ...standing, ended } } },
      messages: [message],
    };
  }
  let state = before;
  for (const evaluate of alertEvaluators) {
    const result = evaluate(options, state, observation);
    const { alert, event = 0, roleId } = result;
    if (alert !== null) {
      const { kind } = alert;
      const as = kind === 'up' ? 'once' : 'standing';
      const message = await messageOf(seen, server, { as, kind, alert, event, roleId });
      const standing = { ...result.state.standing, [kind]: { alert, sentAt: now, roleId } };
      return {
        state: as === 'once' ? result.state : { ...result.state, standing },
        unsent: result.unsent ?? state,
        leftOut: result.leftOut ?? result.state,
        messages: [message],
      };
    }
    state = result.state;
  }
  return { state, messages: [] };
}

interface AlertMessage extends Pick<Outgoing, 'as' | 'event' | 'roleId'> {
  kind: Alert['kind'];
  alert: Alert | EndedAlert;
}

async function messageOf(
  { project: { client, community }, language }: JobContext,
  server: Server,
  { kind, alert, ...delivery }: AlertMessage,
): Promise<Outgoing> {
  const embed = alertEmbed(language, await readBranding(client), server, alert);
  const join = alert.kind === 'players' ? joinButton(language, community.joinUrl(server.id)) : [];
  return { ...delivery, id: `${kind}:${server.id}`, embed, links: buttonRow(...join) };
}

/** Schedules of the servers whose restarts are announced, and of those that are down. */
async function schedulesOf(
  { project: { community } }: JobContext,
  { restart, down }: AlertOptions,
  servers: readonly Server[],
): Promise<SchedulesByServer> {
  const wanted = servers.filter(
    ({ status }) => restart !== undefined || (down !== undefined && status === 'OFFLINE'),
  );
  return wanted.length === 0
    ? new Map()
    : await optional(community.schedules(wanted.map(({ id }) => id)), new Map());
}
