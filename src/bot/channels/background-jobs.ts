import { setMaxListeners } from 'node:events';
import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { count } from '../../process/count.ts';
import { within } from '../../process/time-limit.ts';
import type { BotContext } from '../bot-options.ts';
import { GuildContexts } from './guild-contexts.ts';
import { Jobs } from './jobs.ts';
import { NameRemoval, onUnlistedChange } from './name-removal.ts';
import type { JobKind } from './job.ts';
import { GuildPlacements } from './placements.ts';
import { Presence } from './presence.ts';
import { MemberRoles } from './roles/member-roles.ts';
import { Sender } from './sender.ts';
import { ServerReader } from './server-reader.ts';

/** The state of a job but alerts, for metrics. One without a kept message counts as shown while it works. */
export interface PostState {
  kind: Exclude<JobKind, 'alerts' | 'watch'>;
  state: PostStatus['state'];
}

/** What the bot does on its own: jobs in channels, roles of members and its presence. */
export class BackgroundJobs {
  readonly placements: GuildPlacements;
  readonly jobs: Jobs;
  readonly roles: MemberRoles;
  readonly presence: Presence;
  readonly removal: NameRemoval;
  readonly #context: BotContext;
  /** Each ends a subscription. */
  readonly #unsubscribe: readonly (() => void)[];
  /** Ends requests to Discord. */
  readonly #stopping = new AbortController();

  /** Starts the jobs of the config. */
  constructor(context: BotContext) {
    const { gateway, records, log } = context;
    const { signal } = this.#stopping;
    // Every request adds a listener.
    setMaxListeners(0, signal);
    const base = { ...context, signal };
    const servers = new ServerReader(base);
    const sender = new Sender(base);
    const removal = new NameRemoval({ ...base, sender });
    const shared = { ...base, contexts: new GuildContexts(base), servers, sender, removal };
    const jobs = new Jobs(shared);
    const placements = new GuildPlacements(shared, jobs);
    const roles = new MemberRoles(context);
    const presence = new Presence(base, servers);
    const configured = jobs.list().length;
    if (configured > 0) log.info(`running ${count(configured, 'job')} of the config in channels`);
    this.#unsubscribe = [
      gateway.on({
        joined() {
          jobs.retryBlocked();
          jobs.refresh();
        },
        left(guildId) {
          void placements.forgetGuild(guildId);
          void roles.left(guildId);
        },
        changed(guildId) {
          jobs.retryBlocked();
          roles.changed(guildId);
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
        void roles.run();
      }),
    ];
    this.placements = placements;
    this.jobs = jobs;
    this.roles = roles;
    this.presence = presence;
    this.removal = removal;
    this.#context = context;
  }

  /** Starts what members placed, then all else. */
  async start(): Promise<void> {
    await this.placements.start();
    // Players may have been forgotten while the bot was away.
    void this.removal.run();
    void this.roles.run();
    this.presence.start();
  }

  /** Does all that is due now. */
  async run(): Promise<void> {
    await Promise.all([this.jobs.run(), this.presence.run(), this.removal.run()]);
  }

  /** The states of all posts, kill feeds and recaps, from the config and from members. */
  postStates(): PostState[] {
    return this.jobs.list().flatMap(({ config: { kind }, status }) => {
      return kind === 'alerts' || kind === 'watch' ? [] : [{ kind, state: status?.state ?? 'shown' }];
    });
  }

  /** Updates all posts, once the list of servers as it is now is no longer cached. */
  refreshLater(): void {
    setTimeout(() => this.jobs.refresh(), this.#context.cachedServersMs).unref();
  }

  /** Starts nothing new. Running work gets `ms` to finish, then its requests are aborted. */
  async stop(ms: number): Promise<void> {
    for (const end of this.#unsubscribe) end();
    const { jobs, roles, presence, removal } = this;
    const ended = Promise.all([jobs, roles, presence, removal].map((each) => each.stop()));
    await within(ended, ms);
    this.#stopping.abort();
    await ended;
  }
}
