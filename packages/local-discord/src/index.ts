export type { Component } from './discord-types.ts';
export { startLocalDiscord } from './local-discord.ts';
export type {
  Actor,
  AutocompleteOptions,
  Choice,
  Command,
  ComponentUse,
  GuildOptions,
  Invocation,
  InvokeOptions,
  LocalDiscord,
  LocalDiscordOptions,
  LocalEvent,
  Message,
  Notice,
  PageOptions,
  Persona,
  RequestRecord,
  RoleOptions,
} from './local-discord.ts';
export type { GatewayControl } from './gateway.ts';
export { requestsChannel } from './rest/request-record.ts';
export { commandFaults, messageFaults } from './rules/faults.ts';
