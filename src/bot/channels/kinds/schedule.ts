import { readBranding } from '../../../commands/replies.ts';
import { optional } from '../../../commands/optional.ts';
import type { KindOptions } from '../../../config/schema/channel-jobs.ts';
import { bannerOf } from '../../../embeds/branding.ts';
import { embedLimits } from '../../../embeds/limits.ts';
import { scheduleEmbed } from '../../../embeds/schedule.ts';
import type { ChannelJob } from '../job.ts';
import { serversOf } from './status.ts';

/** When servers restart. */
export const schedule: ChannelJob<KindOptions<'schedule'>, null> = {
  async next({ project, language, now }, { servers: ids }) {
    const { client, community } = project;
    const { receivedAt, stale, data } = await client.listServers();
    if (stale) return null;
    const ofPost = serversOf(data.servers, ids);
    const shown = ofPost.slice(0, embedLimits.fields).map(({ id }) => id);
    const schedules = await optional(community.schedules(shown), new Map());
    const servers = ofPost.map((server) => ({ server, schedules: schedules.get(server.id) ?? null }));
    const branding = await readBranding(client);
    const embed = scheduleEmbed(language, branding, { servers, receivedAt, stale: false }, now());
    return { state: null, message: { as: 'kept', embed: { ...embed, ...bannerOf(branding) } } };
  },
};
