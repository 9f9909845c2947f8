import type { Server } from '../../../api/resources.ts';
import type { Row } from '../../../commands/command.ts';
import type { Picture } from '../../../commands/interfaces/community.ts';
import { readStatus } from '../../../commands/read-status.ts';
import { readBranding } from '../../../commands/replies.ts';
import { buttonRow, joinButton } from '../../../commands/rows.ts';
import { bannerOf } from '../../../embeds/branding.ts';
import type { ChartKind } from '../../../embeds/chart/axis.ts';
import { shortNames } from '../../../embeds/chart/legend.ts';
import { statusEmbed, statusUnavailableEmbed } from '../../../embeds/status.ts';
import { plain } from '../../../embeds/text.ts';
import { mostButtons, staleServersMs } from '../../limits.ts';
import { loggable } from '../../loggable.ts';
import type { JobContext } from '../job.ts';
import { keptPost, serversOf } from './kept-post.ts';

/** How servers are: players, map, next restart, a chart. */
export const status = keptPost({
  kind: 'status',
  async content(seen, { servers: ids, chart, names }) {
    const { project, pictures, language, timezone, now, log } = seen;
    const { client, community } = project;
    const answer = await client.listServers();
    if (answer.stale) return now() - answer.receivedAt > staleServersMs ? 'unavailable' : null;
    const servers = serversOf(answer.data.servers, ids);
    const [branding, read] = await Promise.all([
      readBranding(client),
      readStatus({ ...answer, data: servers }, community, { names }),
    ]);
    const draw = async (range: ChartKind): Promise<Picture | null> => {
      const drawing = pictures.players({ servers, range, language, timezone, now: now() });
      return await drawing.catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'status post: could not draw the chart');
        return null;
      });
    };
    const missing = ids.length - servers.length;
    const embed = statusEmbed(language, branding, { ...read, missing, updating: true }, now());
    return {
      embed: { ...embed, ...bannerOf(branding) },
      links: joinLinks(seen, servers),
      draw: chart === 'none' || servers.length === 0 ? undefined : () => draw(chart),
    };
  },
  // An unknown status is shown at once, since members act on it.
  async unavailable({ project, language }, answeredAt) {
    const branding = await readBranding(project.client);
    return { embed: statusUnavailableEmbed(language, branding, answeredAt) };
  },
});

/** One join button per server, if they fit into one row. */
function joinLinks({ project: { community }, language }: JobContext, servers: readonly Server[]): Row[] {
  if (servers.length > mostButtons) return [];
  const names = shortNames(servers.map(({ name }) => plain(name, 60)));
  const buttons = servers.flatMap(({ id }, index) =>
    joinButton(language, community.joinUrl(id), (servers.length > 1 && names[index]) || undefined),
  );
  return buttonRow(...buttons);
}
