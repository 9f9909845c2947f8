import { z } from 'zod';
import { discord, projectGuild } from './schema/discord.ts';
import { http, live } from './schema/http.ts';
import { project } from './schema/project.ts';
import { cron, wholeNumber } from './schema/values.ts';

const backup = z.strictObject({
  cron: cron
    .default('30 4 * * *')
    .describe('when to back up the data folder, by the clock of this machine; the default is 4:30 at night'),
  keep: wholeNumber('backups', 1, 10_000)
    .default(7)
    .describe('how many of these backups to keep; older ones are deleted'),
});

/** The config file. `outpost.schema.json` is generated from this, and the example lists every key of it. */
export const configSchema = z.strictObject({
  http: http.prefault({}),
  live: live.prefault({}),
  backup: backup.optional(),
  projects: z
    .array(project)
    .default([])
    .describe('each may have a file of its own instead: projects/NAME.yaml beside this file'),
  discord: discord.optional(),
});

/** The file of one project. `project.schema.json` is generated from this. */
export const projectFileSchema = project.extend({
  guilds: z.array(projectGuild).default([]).describe('the Discord servers that show this project'),
});

/** JSON Schema of what an owner writes, for editors. */
export const jsonSchemaOf = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

const ofTheService = z.unknown().optional();

/** The config file of a bot on a remote service: the service has the projects, so only `discord` is used. */
export const botConfigSchema = z.strictObject({
  http: ofTheService,
  live: ofTheService,
  backup: ofTheService,
  projects: ofTheService,
  discord: discord.prefault({}),
});

export type { DiscordConfig } from './schema/discord.ts';
export type BotConfig = z.output<typeof botConfigSchema>;
export type ProjectFile = z.output<typeof projectFileSchema>;
export type ProjectConfig = z.output<typeof project> & {
  /** The project's own file; left out: the config file has it. */
  file?: string | undefined;
};
/** The config file and the files of projects, as one. */
export interface Config extends Omit<z.output<typeof configSchema>, 'projects'> {
  projects: ProjectConfig[];
}
/** A config that has its projects itself. */
export type ConfigInput = z.input<typeof configSchema> & { projects: z.input<typeof project>[] };

export type ServerConfig = ProjectConfig['servers'][number];
export type BanlistConfig = ProjectConfig['banlists'][number];
