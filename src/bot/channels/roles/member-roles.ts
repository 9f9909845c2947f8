import type { RoleConfig, RoleHolders, RoleRecords } from '../../../commands/ports/member-roles.ts';
import { ProblemLog } from '../../../process/problem-log.ts';
import { loggable } from '../../loggable.ts';
import type { JobOptions } from '../background-options.ts';
import { GuildMemberRoles, paced } from './guild-member-roles.ts';
import { type GuildRoles, labelOf, noProject } from './role-obstacle.ts';

/**
 * Gives and takes the roles of the config, in the home guilds. In a guild that the config no longer
 * names, it takes what it gave. Where the config names none, whoever adds the bot to another guild could bring that about, so
 * the roles stay.
 */
export class MemberRoles {
  readonly #configs: readonly RoleConfig[];
  readonly #options: JobOptions;
  readonly #guilds = new Map<string, GuildMemberRoles>();
  /** The guilds in which the bot gave roles before; null: they are to be read. */
  #before: ReadonlySet<string> | null = null;
  /** Those of them that are no home guilds any more, logged once. */
  readonly #former = new Set<string>();
  readonly #inTurn: ReturnType<typeof paced>;
  /** What keeps the bot from a role, by its id. */
  readonly #problems = new ProblemLog();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(configs: readonly RoleConfig[], options: JobOptions) {
    const { roleRecords, rolePollMs, roleGapMs, signal, log } = options;
    this.#configs = configs;
    this.#options = { ...options, signal: AbortSignal.any([signal, this.#stopping.signal]) };
    this.#inTurn = paced(roleGapMs, this.#options.signal);
    if (roleRecords !== undefined) this.#timer = setInterval(() => void this.run(), rolePollMs);
    else if (configs.length > 0)
      log.warn('the roles of the config are off: the bot reads a service elsewhere, which knows no links');
  }

  /** Gives and takes what is due. Never rejects. */
  async run(): Promise<void> {
    const { gateway, isHome, areHomesKnown, roleRecords, log, signal } = this.#options;
    if (roleRecords === undefined || signal.aborted) return;
    const guilds = gateway.guilds().map(({ id }) => id);
    this.#reportMissing(guilds);
    const before = await this.#givenBefore(roleRecords);
    const isFormer = (id: string) =>
      !isHome(id) && areHomesKnown() && (this.#guilds.has(id) || before.has(id));
    for (const id of guilds.filter((id) => isFormer(id) && !this.#former.has(id))) {
      this.#former.add(id);
      log.warn(`the guild ${id} is not a home guild any more: the bot takes the roles that it gave there`);
    }
    const served = guilds.filter((id) => (isHome(id) || isFormer(id)) && !gateway.isUnavailable(id));
    await Promise.all(served.map(async (id) => await this.#guild(id, roleRecords).run()));
  }

  async #givenBefore(records: RoleRecords): Promise<ReadonlySet<string>> {
    this.#before ??= await records.guilds().then(
      (ids) => new Set(ids),
      // The store is away, which each guild logs.
      () => null,
    );
    return this.#before ?? new Set();
  }

  /** The roles of a guild, or the bot's own, may have changed. */
  changed(guildId: string): void {
    if (this.#problems.size > 0 && this.#guilds.has(guildId)) void this.run();
  }

  /** The bot has left the guild, where it can take nothing any more. Never rejects. */
  async left(guildId: string): Promise<void> {
    const { roleRecords, log } = this.#options;
    this.#guilds.delete(guildId);
    await roleRecords?.forget(guildId).catch((error: unknown) => {
      log.warn({ error: loggable(error) }, `could not forget the roles in the guild ${guildId}`);
    });
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.all(Array.from(this.#guilds.values(), (guild) => guild.run()));
  }

  #guild(guildId: string, records: RoleRecords): GuildMemberRoles {
    const guild =
      this.#guilds.get(guildId) ??
      new GuildMemberRoles(guildId, {
        ...this.#options,
        records,
        dueIn: async (roles) => await this.#dueIn(roles),
        report: ({ roles }, roleId, problem) => this.#report(roles, roleId, problem),
        inTurn: this.#inTurn,
      });
    this.#guilds.set(guildId, guild);
    return guild;
  }

  async #dueIn({ guildId, roles }: GuildRoles): Promise<ReadonlyMap<string, RoleHolders | string>> {
    // A role that no rule gives any more is taken from all who have it.
    if (!this.#options.isHome(guildId)) return new Map();
    const ids = new Set(roles.map(({ id }) => id));
    const here = this.#configs.filter(({ roleId }) => ids.has(roleId));
    const meeting = this.#options.projectOf(guildId)?.ports.roleMembers;
    if (meeting !== undefined) return here.length === 0 ? new Map() : await meeting(here);
    return new Map(here.map(({ roleId }) => [roleId, noProject]));
  }

  /** Logs each obstacle once, and its end. @param roles of the guild; none: no home guild has the role */
  #report(roles: GuildRoles['roles'], roleId: string, problem: string | null): void {
    const { log } = this.#options;
    const role = roles.find(({ id }) => id === roleId);
    const label = role === undefined ? `role ${roleId}` : labelOf(role);
    const { error, recovered } = this.#problems.update(roleId, problem);
    if (error !== undefined) log.error(`${label} is neither given nor taken: ${error}`);
    if (recovered) log.info(`${label} is given and taken again`);
  }

  /** Roles of the config that no home guild has. A guild that is unavailable may have them. */
  #reportMissing(guildIds: readonly string[]): void {
    const { gateway, isHome } = this.#options;
    if (gateway.isUnavailable()) return;
    const owners = new Map(
      guildIds.flatMap((guildId) =>
        (gateway.rolesOf(guildId)?.roles ?? []).map(({ id }) => [id, guildId] as const),
      ),
    );
    for (const { roleId } of this.#configs) {
      const guildId = owners.get(roleId);
      if (guildId === undefined) {
        this.#report([], roleId, 'no Discord server of the bot has such a role; copy the id anew');
      } else if (!isHome(guildId)) {
        const problem = `its Discord server is not a home guild; if it is yours, add it to discord.guilds: - { id: "${guildId}" }`;
        this.#report([], roleId, problem);
      }
    }
  }
}
