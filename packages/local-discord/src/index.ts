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
} from './local-discord.ts';
export type { GatewayControl } from './gateway.ts';
export { requestsChannel } from './rest/request-record.ts';
export type { Component } from './state.ts';
