import type { APIEmbed } from 'discord.js';
import { type Answer, ServiceError } from '../api/client-types.ts';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import { branded } from '../embeds/branding.ts';
import { errorEmbed, unansweredEmbed } from '../embeds/failure.ts';
import { loggedOnlineEmbed, type LoggedPlayers, onlineEmbed } from '../embeds/online.ts';
import { within } from '../process/time-limit.ts';
import { type Command, type CommandContext, type Reply } from './command.ts';
import { isRefusal, optional, readBranding } from './reads.ts';
import { privateReply, reply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { completeServer, readServer, serverMenu, serverOption } from './servers.ts';
import { controlsOf, screenComponents, type Screen } from './screen.ts';

const buttons: Screen = { command: 'online', options: { server: 'text' } };

/** How long to wait for a list that is not cached. */
const longestWaitMs = 2_000;

interface LiveList extends Answer<OnlinePlayers> {
  /** Only the player count is known, not the players. */
  countOnly: boolean;
}

/**
 * Reads the players of a server. The result of its latest check replaces the list if
 * - all members together have reached the service's limit for this list,
 * - the game server is slow: the late list is cached for the next call,
 * - or the server has no query port, as on consoles, and the check found it online.
 * Null: the server did not answer its latest check either.
 * @throws other errors of the client
 */
async function readLiveList(
  { client, community, now }: Pick<CommandContext, 'client' | 'community' | 'now'>,
  server: Server,
): Promise<LiveList | null> {
  const isOnline = server.status === 'ONLINE';
  const reading = client.listOnlinePlayers({ serverId: server.id }).catch((error: unknown) => {
    if (isRefusal(error, 'rate_limited')) return 'late' as const;
    if (isOnline && isRefusal(error, 'data_source_not_configured')) return 'noQuery' as const;
    throw error;
  });
  const answer = await within(reading, longestWaitMs);
  if (answer !== 'noQuery' && answer !== 'late') return { ...answer, countOnly: false };
  if (!isOnline) return null;

  const live = community.live(server.id);
  const checkedAt = server.checkedAt === null ? now : Date.parse(server.checkedAt);
  const listed = live?.sessions.length ?? 0;
  const data: OnlinePlayers = {
    online: server.players,
    listedPlayers: listed,
    players: [],
    incompletePlayers: listed,
    observedAt: new Date(live?.observedAt ?? checkedAt).toISOString(),
    source: 'GAMEDIG',
    cached: true,
  };
  return { data, receivedAt: now, stale: false, countOnly: live === null && answer === 'late' };
}

/** Who is on by the server's log, which the store has. */
async function readLogged({ community }: CommandContext, serverId: string): Promise<LoggedPlayers | null> {
  const logged = await optional(community.loggedPlayers([serverId]), new Map());
  return logged.get(serverId) ?? null;
}

/** Who is on by the server's log, which the answer of a service elsewhere has. */
function loggedIn({ fromLog }: OnlinePlayers, now: number): LoggedPlayers | null {
  if (fromLog === undefined) return null;
  const players = fromLog.players.map(({ name, since }) => ({
    name,
    seconds: since === null ? null : Math.max(0, (now - Date.parse(since)) / 1000),
  }));
  return { players, asOf: Date.parse(fromLog.asOf), isComplete: fromLog.isComplete };
}

/** The players on a server. Null: the server did not answer. @throws errors of the client */
async function playersEmbed(context: CommandContext, server: Server): Promise<APIEmbed | null> {
  const { language, community, now } = context;
  try {
    const list = await readLiveList(context, server);
    if (list === null) return null;
    const { data: result, ...rest } = list;
    const live = community.live(server.id);
    const logged = (await readLogged(context, server.id)) ?? loggedIn(result, now);
    return onlineEmbed(language, { server, result, live, logged, ...rest });
  } catch (error) {
    // Servers on consoles have no query, but a log.
    const hasNoQuery = isRefusal(error, 'data_source_not_configured');
    const logged = hasNoQuery ? await readLogged(context, server.id) : null;
    if (logged === null || logged.players === null) throw error;
    return loggedOnlineEmbed(language, { server, logged });
  }
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, language, now } = context;
  const [branding, found] = await Promise.all([readBranding(client), readServer(context)]);
  if ('refusal' in found) return found.refusal;
  const { only: server } = found;
  try {
    const embed = await playersEmbed(context, server);
    if (embed === null) return privateReply(unansweredEmbed(language, server.name));
    const controls = controlsOf(buttons, context, { server: server.id });
    const refresh = controls.button({ label: 'button.refresh', emoji: '🔄' }, {});
    const components = [...serverMenu(controls, found), ...buttonRow(refresh, controls.share())];
    return { ...reply(branded(branding, embed)), components };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return privateReply(errorEmbed(language, error, { server: server.name, now }));
  }
}

/** `/online server`: who is on a server, read live. */
export const onlineCommand: Command = {
  definition: { name: 'online', options: [{ ...serverOption, required: true }] },
  run,
  autocomplete: completeServer,
  components: screenComponents(buttons, run),
};
