import { setMaxListeners } from 'node:events';
import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { count } from '../../process/count.ts';
import { within } from '../../process/time-limit.ts';
import type { BotContext } from '../bot-options.ts';
import { createGuildContexts } from './guild-contexts.ts';
import { createJobs } from './jobs.ts';
import { createNameRemoval, onUnlistedChange } from './name-removal.ts';
import type { JobKind } from './job.ts';
import { createPlacements } from './placements.ts';
import { createPresence } from './presence.ts';
import { createMemberRoles } from './roles/member-roles.ts';
import { createSender } from './sender.ts';
import { createServerReader } from './server-reader.ts';

/** The state of a job but alerts, for metrics. One without a kept message counts as shown while it works. */
export interface PostState {
  kind: Exclude<JobKind, 'alerts' | 'watch'>;
  state: PostStatus['state'];
}

export type BackgroundJobs = ReturnType<typeof createBackgroundJobs>;

/** What the bot does on its own: jobs in channels, roles of members and its presence. Starts the jobs of the config. */
export function createBackgroundJobs(context: BotContext) {
  const { gateway, records, settings, log, cachedServersMs } = context;
  /** Ends requests to Discord. */
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every request adds a listener.
  setMaxListeners(0, signal);
  const base = { ...context, signal };
  const servers = createServerReader(context);
  const sender = createSender(context, signal);
  const removal = createNameRemoval(context, sender, signal);
  const shared = { ...base, contexts: createGuildContexts(context, signal), servers, sender, removal };
  const jobs = createJobs(shared);
  const placements = createPlacements(shared, jobs);
  const roles = records && createMemberRoles(context, records.roleRecords);
  if (roles === null && settings().config.roles.length > 0)
    log.warn('the roles of the config are off: the bot reads a service elsewhere, which knows no links');
  const presence = createPresence(context, servers, signal);
  const configured = jobs.list().length;
  if (configured > 0) log.info(`running ${count(configured, 'job')} of the config in channels`);
  const unsubscribe = [
    gateway.on({
      joined() {
        jobs.retryBlocked();
        jobs.refresh();
      },
      left(guildId) {
        void placements.forgetGuild(guildId);
        void roles?.left(guildId);
      },
      changed(guildId) {
        jobs.retryBlocked();
        roles?.changed(guildId);
      },
      messagesDeleted: (messageIds) => jobs.deleted(messageIds),
      session() {
        presence.forget();
        jobs.markUnverified();
      },
    }),
    onUnlistedChange(records, () => {
      jobs.refresh();
      void removal.run();
      void roles?.run();
    }),
  ];

  return {
    placements,
    roles,
    removal,
    /** Starts what members placed, then all else. */
    async start(): Promise<void> {
      await placements.start();
      // Players may have been forgotten while the bot was away.
      void removal.run();
      void roles?.run();
      presence.start();
    },
    /** Does all that is due now. */
    async run(): Promise<void> {
      await Promise.all([jobs.run(), presence.run(), removal.run()]);
    },
    /** The states of all posts, kill feeds and recaps, from the config and from members. */
    postStates: (): PostState[] =>
      jobs.list().flatMap(({ config: { kind }, status }) => {
        return kind === 'alerts' || kind === 'watch' ? [] : [{ kind, state: status?.state ?? 'shown' }];
      }),
    /** Updates all posts, once the list of servers as it is now is no longer cached. */
    refreshLater(): void {
      setTimeout(() => jobs.refresh(), cachedServersMs).unref();
    },
    /** Starts nothing new. Running work gets `ms` to finish, then its requests are aborted. */
    async stop(ms: number): Promise<void> {
      for (const end of unsubscribe) end();
      const ended = Promise.all([jobs.stop(), roles?.stop(), presence.stop(), removal.stop()]);
      await within(ended, ms);
      stopping.abort();
      await ended;
    },
  };
}
