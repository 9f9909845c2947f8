import { ApplicationCommandOptionType, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import { healthEmbed, type HealthProblem } from '../../embeds/health.ts';
import { serverName } from '../../embeds/status.ts';
import { hasAnswered } from '../../api/resources.ts';
import type { CommandContext, Reply } from '../command.ts';
import { readLoggedPlayers } from '../logged-players.ts';
import { hasPlayerRules, type Placed } from '../ports/placements.ts';
import { failureReply, privateReply } from '../replies.ts';
import { missingPermissions, placementsOf } from './placing.ts';
import type { Subcommand } from './subcommand.ts';

/** Discord's time has whole seconds, and the answer takes a moment. */
const toleratedMs = 5_000;

/** `/outpost doctor`: what is wrong with the servers, their files, this guild's posts and Outpost itself. */
async function doctorCommand(context: CommandContext): Promise<Reply> {
  const { asker, language, ports } = context;
  if (!asker.isHome) return failureReply(language, 'deniedTitle', language.t('failure.notHome'));
  const found = await Promise.all([
    serverProblems(context),
    ports.health?.() ?? [],
    clockProblem(context),
    postProblems(context),
  ]);
  return privateReply(healthEmbed(language, found.flat(), ports.health !== undefined));
}

async function serverProblems({ client, ports }: CommandContext): Promise<HealthProblem[]> {
  const { servers } = (await client.listServers()).data;
  const unanswered = servers.filter((server) => !hasAnswered(server)).map(({ id }) => id);
  const logged = unanswered.length === 0 ? null : await readLoggedPlayers(ports, unanswered);
  return servers.flatMap((server): HealthProblem[] => {
    // A server on a console answers no query; its log shows that it runs.
    if (server.status === 'UNKNOWN' && logged?.get(server.id)?.players != null) return [];
    if (server.status === 'ONLINE' || (server.status === 'UNKNOWN' && server.checkedAt === null)) return [];
    const kind = server.status === 'OFFLINE' ? 'offline' : hasAnswered(server) ? 'unchecked' : 'unanswered';
    return [{ kind, server: serverName(server) }];
  });
}

async function clockProblem({ ports }: CommandContext): Promise<HealthProblem[]> {
  const aheadMs = (await ports.clockAheadMs?.()) ?? 0;
  if (Math.abs(aheadMs) <= toleratedMs) return [];
  return [{ kind: 'clock', seconds: Math.round(Math.abs(aheadMs) / 1000) }];
}

/** Posts, alerts and kill feeds of this guild that Discord refuses, or would refuse, and alerts that notify nobody. */
async function postProblems({ asker, ports }: CommandContext): Promise<HealthProblem[]> {
  const { guildId } = asker;
  if (guildId === null) return [];
  const placed = (await placementsOf(ports)?.list(guildId)) ?? [];
  const problems = placed.map(({ channelId, content, status }): HealthProblem[] => {
    const granted = ports.permissionsIn?.(channelId) ?? null;
    const bits = new PermissionsBitField(granted?.permissions ?? 0n);
    if (granted !== null) {
      const permissions = missingPermissions(bits, granted.isThread, othersFor(content));
      if (permissions.length > 0) return [{ kind: 'permissions', channelId, permissions }];
    }
    if (status?.state === 'failing') return [{ kind: 'post', channelId, reason: status.reason }];
    return rolesOf(content).flatMap((roleId): HealthProblem[] => {
      const isMentionable = ports.isMentionable?.(guildId, roleId);
      if (isMentionable === null) return [{ kind: 'roleGone', channelId }];
      const isMuted =
        isMentionable === false && granted !== null && !bits.has(PermissionFlagsBits.MentionEveryone);
      return isMuted ? [{ kind: 'roleMuted', channelId }] : [];
    });
  });
  // Several posts of a channel have the same problem.
  return [...new Map(problems.flat().map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** The roles that alerts mention. */
function rolesOf(content: Placed['content']): string[] {
  if (content.kind !== 'alerts') return [];
  return Object.values(content.rules).flatMap((rule) => rule?.roleId ?? []);
}

function othersFor(content: Placed['content']): ('AttachFiles' | 'ReadMessageHistory')[] {
  if (content.kind === 'feed' || (content.kind === 'alerts' && hasPlayerRules(content.rules)))
    return ['ReadMessageHistory'];
  if (content.kind === 'recap') return ['AttachFiles', 'ReadMessageHistory'];
  return content.kind === 'status' && content.chart !== 'none' ? ['AttachFiles'] : [];
}

export const doctorSubcommand: Subcommand = {
  definition: { type: ApplicationCommandOptionType.Subcommand, name: 'doctor' },
  runs: { doctor: doctorCommand },
};
