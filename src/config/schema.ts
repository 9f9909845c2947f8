import { z } from 'zod';
import { backup } from './schema/backup.ts';
import { discord } from './schema/discord.ts';
import { http, live } from './schema/http.ts';
import { project } from './schema/project.ts';
import { store } from './schema/store.ts';

/** The config file. `outpost.schema.json` is generated from this, and the example lists every key of it. */
export const configSchema = z.strictObject({
  http: http.prefault({}),
  live: live.prefault({}),
  backup: backup.optional(),
  store: store.optional(),
  projects: z.array(project).min(1, { error: 'expected at least one project' }),
  discord: discord.optional(),
});

/** JSON Schema of the config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
}

const ofTheService = z.unknown().optional();

/** The same file for a bot on a remote service: the service has the projects, so only `discord` is used. */
export const botConfigSchema = z.strictObject({
  http: ofTheService,
  live: ofTheService,
  backup: ofTheService,
  store: ofTheService,
  projects: ofTheService,
  discord: discord.prefault({}),
});

export type BotConfig = z.output<typeof botConfigSchema>;
export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
export type ProjectConfig = Config['projects'][number];
export type ServerConfig = ProjectConfig['servers'][number];
export type BanlistConfig = ProjectConfig['banlists'][number];
export type DiscordConfig = NonNullable<Config['discord']>;
