import { randomBytes } from 'node:crypto';
import { type Choice, type Json, type Message, type User, messageFlag } from './discord-types.ts';
import { refusals } from './errors.ts';
import { directChannel } from './state/guilds.ts';
import { memberPermissions } from './state/permissions.ts';
import { type Channel, rememberUser, type State } from './state/state.ts';
import { appPermissions, channelJson, memberJson, messageJson, userJson } from './wire.ts';

/** Interaction types (Discord: Receiving and Responding). */
export const interactionType = { command: 2, component: 3, autocomplete: 4 } as const;

/** The member who acts, as the page or a test names them. */
export interface Actor {
  id: string;
  username: string;
  displayName?: string;
  /** Permission bits in that guild; default: an ordinary member's. */
  permissions?: bigint | string;
  /** Default `en-US`. */
  locale?: string;
}

/** How an interaction was acknowledged: by callback type. */
export type Acknowledgement = 'message' | 'deferredMessage' | 'deferredUpdate' | 'update' | 'choices';

/** What somebody does: types a command, uses a component, completes an option. */
export interface Opening {
  type: number;
  data: Json;
  guildId: string | null;
  channelId: string | null;
  user: Actor;
  commandName?: string;
  /** The message whose component was used. */
  source?: Message;
  /** Type of the option being completed, in an autocompletion. */
  focusedType?: number | null;
}

export interface Interaction extends Pick<Opening, 'type' | 'commandName' | 'source' | 'focusedType'> {
  readonly id: string;
  readonly token: string;
  readonly channel: Channel;
  readonly user: User;
  /** Epoch ms. */
  readonly createdAt: number;
  acknowledgement: Acknowledgement | null;
  /** Milliseconds from dispatch to callback. */
  acknowledgedAfterMs: number | null;
  /** The bot did not acknowledge it in time. */
  dead: boolean;
  /** `@original`: the answer, or the component's message once that was updated. */
  original: Message | null;
  followUps: Message[];
  choices: Choice[];
  readonly acknowledged: Deferred;
  readonly answered: Deferred;
}

function fail({ acknowledged, answered }: Interaction, message: string): void {
  for (const { reject } of [acknowledged, answered]) reject(new Error(message));
}

/** How long a token serves edits and follow-ups after it was made (Discord: Receiving and Responding). */
const tokenLifetimeMs = 15 * 60_000;
const kept = 5000;

export type Interactions = ReturnType<typeof createInteractions>;

/** Interactions in progress, and the latest finished ones. */
export function createInteractions(state: State, acknowledgeWithinMs: number) {
  /** By token, the oldest first. */
  const known = new Map<string, Interaction>();

  /** Dispatches INTERACTION_CREATE and starts the 3 s. */
  function start(opening: Opening): Interaction {
    const { guildId, user: actor } = opening;
    const user = rememberUser(state, actor);
    const guild = guildId === null ? null : state.guilds.get(guildId);
    if (guild === undefined) throw new Error(`no guild ${guildId} in the local Discord`);
    const channel = guild
      ? guild.channels.get(opening.channelId ?? '')
      : ((opening.channelId ? state.channels.get(opening.channelId) : undefined) ??
        directChannel(state, user));
    if (!channel) throw new Error(`no channel ${opening.channelId} in guild ${guildId}`);
    if (guild && !guild.members.has(user.id)) {
      guild.members.set(user.id, { user, roles: [], joinedAt: state.now() });
    }
    const interaction: Interaction = {
      ...opening,
      id: state.snowflake(),
      token: randomBytes(48).toString('base64url'),
      channel,
      user,
      createdAt: state.now(),
      acknowledgement: null,
      acknowledgedAfterMs: null,
      dead: false,
      original: null,
      followUps: [],
      choices: [],
      acknowledged: deferred(),
      answered: deferred(),
    };
    known.set(interaction.token, interaction);
    const [oldest = ''] = known.keys();
    if (known.size > kept) known.delete(oldest);

    const permissions = BigInt(actor.permissions ?? memberPermissions);
    const data = {
      id: interaction.id,
      application_id: state.applicationId,
      type: opening.type,
      token: interaction.token,
      version: 1,
      data: opening.data,
      channel_id: channel.id,
      channel: { ...channelJson(channel), permissions: String(permissions) },
      app_permissions: appPermissions(state, channel),
      locale: actor.locale ?? 'en-US',
      entitlements: [],
      authorizing_integration_owners: { '0': guild?.id ?? '0' },
      context: guild ? 0 : 1,
      ...(opening.source && { message: messageJson(state, opening.source) }),
      attachment_size_limit: 10_485_760,
      ...(guild
        ? {
            guild_id: guild.id,
            guild: { id: guild.id, locale: guild.locale, features: [] },
            guild_locale: guild.locale,
            member: { ...memberJson(guild, user), permissions: String(permissions) },
          }
        : { user: userJson(user) }),
    };
    const timer = setTimeout(() => {
      if (interaction.acknowledgement !== null) return;
      interaction.dead = true;
      const isCompletion = opening.type === interactionType.autocomplete;
      fail(interaction, isCompletion ? 'Loading options failed' : 'The application did not respond');
    }, acknowledgeWithinMs);
    timer.unref();
    state.dispatch('INTERACTION_CREATE', data, { guildId: guild?.id ?? null, intent: 0 });
    return interaction;
  }

  return {
    start,
    /** @throws DiscordError 10062 for an unknown, foreign or dead one. */
    forCallback(id: string, token: string): Interaction {
      const interaction = known.get(token);
      if (!interaction || interaction.id !== id || interaction.dead) throw refusals.unknownInteraction();
      return interaction;
    },
    /** @throws DiscordError 10015 before an acknowledgement, 50027 after 15 minutes. */
    forWebhook(token: string): Interaction {
      const interaction = known.get(token);
      if (!interaction || interaction.dead || interaction.acknowledgement === null) {
        throw refusals.unknownWebhook();
      }
      if (state.now() - interaction.createdAt > tokenLifetimeMs) throw refusals.invalidWebhookToken();
      return interaction;
    },
    close(): void {
      for (const interaction of known.values()) fail(interaction, 'the local Discord was closed');
    },
  };
}

type Deferred = ReturnType<typeof deferred>;

function deferred() {
  let resolve = (): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<void>((...settle) => ([resolve, reject] = settle));
  // An unhandled rejection would end the process when a bot never answers and nobody waits.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** What a message that answers an interaction says about it. */
export function interactionOf(interaction: Interaction): NonNullable<Message['interaction']> {
  const { id, type, user, commandName = null } = interaction;
  return { id, type, user, commandName };
}

/** Who alone sees an answer with these flags; null: everybody. */
export const viewerOf = ({ user }: Interaction, flags: unknown): string | null =>
  Number(flags ?? 0) & messageFlag.ephemeral ? user.id : null;
