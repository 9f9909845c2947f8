import type { Server } from '../../../api/resources.ts';
import type { Row } from '../../../commands/command.ts';
import { readStatus } from '../../../commands/read-status.ts';
import { readBranding } from '../../../commands/replies.ts';
import { buttonRow, joinButton } from '../../../commands/rows.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { bannerOf } from '../../../embeds/branding.ts';
import { shortNames } from '../../../embeds/chart/legend.ts';
import { statusEmbed, statusUnavailableEmbed } from '../../../embeds/status.ts';
import { plain } from '../../../embeds/text.ts';
import { mostButtons, staleServersMs } from '../../limits.ts';
import type { ChannelJob, JobContext } from '../job.ts';

interface StatusState {
  /** When the service last answered, epoch milliseconds. */
  answeredAt: number;
}

/** How servers are: players, map, next restart, a chart. */
export const status: ChannelJob<KindOptions<'status'>, StatusState> = {
  async next(seen, { servers: ids, chart: range, names }) {
    const { project, pictures, language, timezone, now } = seen;
    const { client, community } = project;
    const answer = await client.listServers();
    if (answer.stale) {
      if (now() - answer.receivedAt > staleServersMs) throw new Error('its last answer is too old');
      return null;
    }
    const servers = serversOf(answer.data.servers, ids);
    const [branding, read] = await Promise.all([
      readBranding(client),
      readStatus({ ...answer, data: servers }, community, { names }),
    ]);
    const missing = ids.length - servers.length;
    const embed = statusEmbed(language, branding, { ...read, missing, updating: true }, now());
    const draw =
      range === 'none' || servers.length === 0
        ? undefined
        : () => pictures.players({ servers, range, language, timezone, now: now() });
    const shown = { embed: { ...embed, ...bannerOf(branding) }, links: joinLinks(seen, servers), draw };
    return { state: { answeredAt: now() }, message: { as: 'kept', ...shown } };
  },
  // An unknown status is shown at once, since members act on it.
  async unavailable({ project, language }, state) {
    const branding = await readBranding(project.client);
    return { embed: statusUnavailableEmbed(language, branding, state?.answeredAt ?? null) };
  },
};

/** The servers of a post in its order, without those that the service does not have. */
export function serversOf(servers: readonly Server[], ids: readonly string[]): Server[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return ids.map((id) => byId.get(id)).filter((server) => server !== undefined);
}

/** One join button per server, if they fit into one row. */
function joinLinks({ project: { community }, language }: JobContext, servers: readonly Server[]): Row[] {
  if (servers.length > mostButtons) return [];
  const names = shortNames(servers.map(({ name }) => plain(name, 60)));
  const buttons = servers.flatMap(({ id }, index) =>
    joinButton(language, community.joinUrl(id), (servers.length > 1 && names[index]) || undefined),
  );
  return buttonRow(...buttons);
}
