import type { APIEmbed } from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { Branding } from '../embeds/branding.ts';
import { errorEmbed, unansweredEmbed } from '../embeds/failure.ts';
import { loggedOnlineEmbed, type LoggedPlayers, onlineEmbed } from '../embeds/online.ts';
import { type Command, type CommandContext, type Reply } from './command.ts';
import { readLiveList } from './live-list.ts';
import { optional } from './optional.ts';
import { isRefusal } from './refusals.ts';
import { privateReply, readBranding, reply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { completeServer, readServer, serverMenu, serverOption } from './servers.ts';
import { controlsOf, screenComponents, type Screen } from './screen.ts';

const buttons: Screen = { command: 'online', options: { server: 'text' } };

/** Who is on according to the server's log. */
async function loggedOn({ community }: CommandContext, serverId: string): Promise<LoggedPlayers | null> {
  const logged = await optional(community.loggedPlayers([serverId]), new Map());
  return logged.get(serverId) ?? null;
}

/** The same out of the answer of a service elsewhere. */
function loggedOf({ fromLog }: OnlinePlayers, now: number): LoggedPlayers | null {
  if (fromLog === undefined) return null;
  const players = fromLog.players.map(({ name, since }) => ({
    name,
    seconds: since === null ? null : Math.max(0, (now - Date.parse(since)) / 1000),
  }));
  return { players, asOf: Date.parse(fromLog.asOf), isComplete: fromLog.isComplete };
}

/** The players on a server. Null: the server did not answer. @throws errors of the client */
async function playersEmbed(
  context: CommandContext,
  server: Server,
  branding: Branding | null,
): Promise<APIEmbed | null> {
  const { language, community, now } = context;
  try {
    const list = await readLiveList(context, server);
    if (list === null) return null;
    const { data: result, ...rest } = list;
    const live = community.live(server.id);
    const logged = (await loggedOn(context, server.id)) ?? loggedOf(result, now);
    return onlineEmbed(language, branding, { server, result, live, logged, ...rest });
  } catch (error) {
    // Servers on consoles have no query, but a log.
    const hasNoQuery = isRefusal(error, 'data_source_not_configured');
    const logged = hasNoQuery ? await loggedOn(context, server.id) : null;
    if (logged === null || logged.players === null) throw error;
    return loggedOnlineEmbed(language, branding, { server, logged });
  }
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, language, now } = context;
  const [branding, found] = await Promise.all([readBranding(client), readServer(context)]);
  if ('refusal' in found) return found.refusal;
  const { only: server } = found;
  try {
    const embed = await playersEmbed(context, server, branding);
    if (embed === null) return privateReply(unansweredEmbed(language, server.name));
    const controls = controlsOf(buttons, context, { server: server.id });
    const refresh = controls.button({ label: 'button.refresh', emoji: '🔄' }, {});
    const components = [...serverMenu(controls, found), ...buttonRow(refresh, controls.share())];
    return { ...reply(embed), components };
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
