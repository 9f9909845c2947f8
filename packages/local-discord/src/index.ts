export type { AutocompleteOptions, ComponentUse, Invocation, InvokeOptions } from './actions.ts';
export type { Choice, Command, Component, LocalEvent, Message } from './discord-types.ts';
export type { GatewayControl } from './gateway.ts';
export type { Actor } from './interactions.ts';
export { type LocalDiscord, type LocalDiscordOptions, startLocalDiscord } from './local-discord.ts';
export type { Notice, PageOptions, Persona } from './page-server/page-options.ts';
export { type RequestRecord, requestsChannel } from './rest/request-record.ts';
export { commandFaults, messageFaults } from './rules/faults.ts';
export type { GuildOptions, RoleOptions } from './state/guilds.ts';
