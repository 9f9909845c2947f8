import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './error.ts';
import { allRoles, parseRoles, rolesExpectation, type Role } from './roles.ts';
import { storeUrlMistake } from './store-url.ts';
import { homeExpectation, host, ownPort, startsAtHome } from './schema/values.ts';

/** What comes from environment variables and `.env`. */
export interface Environment {
  configFile: string;
  /** Folder of the databases. */
  dataFolder: string;
  /** The database of PostgreSQL that is the store, password included; left out: a file in the data folder. */
  storeUrl?: string | undefined;
  logLevel: string;
  roles: readonly Role[];
  /** Where the service listens, in place of the config's `http.host` and `http.port`; null: as the config says. */
  httpHost: string | null;
  httpPort: number | null;
  /** In place of `http.metrics.port`; null: as the config says. */
  metricsPort: number | null;
  /** Null: the bot is off. */
  discordToken: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  /** Left out: Nitrado's own. */
  nitradoApiUrl?: string | undefined;
  /** The remote service that the bot reads; null: the embedded one. */
  remoteService: { apiUrl: string; applicationId: string; secret: string } | null;
}

const storeUrl = z.string().superRefine((url, context) => {
  const message = storeUrlMistake(url);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const port = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text))
  .pipe(ownPort);

const ownPath = z.string().refine((text) => !startsAtHome(text), { error: homeExpectation });

/** Every variable that Outpost reads. Some have a default. A blank one counts as left out. */
export const environmentSchema = z.object({
  OUTPOST_CONFIG: ownPath.default('config/outpost.yaml'),
  OUTPOST_DATA: ownPath.default('data'),
  OUTPOST_STORE_URL: storeUrl.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OUTPOST_ROLES: z
    .string()
    .refine((list) => parseRoles(list) !== null, rolesExpectation)
    .default(allRoles.join(',')),
  OUTPOST_HTTP_HOST: host.optional(),
  OUTPOST_HTTP_PORT: port.optional(),
  OUTPOST_METRICS_PORT: port.optional(),
  DISCORD_TOKEN: z.string().optional(),
  DISCORD_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  NITRADO_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  OUTPOST_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  OUTPOST_APPLICATION_ID: z.string().optional(),
  OUTPOST_SECRET: z.string().optional(),
});

/** Variables whose values are never quoted. A URL may have a password in it. */
const secretVariables = /TOKEN|SECRET|URL|APPLICATION/;
/** Node.js takes the quotes of `.env` away, but `docker --env-file` and some panels pass them on. */
const inQuotes = /^(["'`]).*\1$/s;

/** Checks the environment. Errors quote no secret. */
export function parseEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const setVariables = Object.entries(variables)
    // On Windows, `set NAME=value && outpost start` leaves a blank at the end.
    .map(([name, value]) => [name, value?.trim()] as const)
    .filter(([name, value]) => value !== '' && Object.hasOwn(environmentSchema.shape, name));
  const values = Object.fromEntries(setVariables);
  const mistake = (name: string, message: string): string => {
    const found = secretVariables.test(name) ? '' : `, got ${JSON.stringify(values[name]?.slice(0, 80))}`;
    return `  ${name}: ${message.replace(/^Invalid option: /, '')}${found}`;
  };
  const quoted = setVariables.filter(([, value = '']) => inQuotes.test(value));
  if (quoted.length > 0) throw environmentError(quoted.map(([name]) => mistake(name, withoutQuotes)));
  const parsed = environmentSchema.safeParse(values);
  if (!parsed.success)
    throw environmentError(parsed.error.issues.map(({ path, message }) => mistake(path.join('.'), message)));
  const { data } = parsed;
  return {
    configFile: data.OUTPOST_CONFIG,
    dataFolder: resolve(data.OUTPOST_DATA),
    storeUrl: data.OUTPOST_STORE_URL,
    logLevel: data.LOG_LEVEL,
    roles: parseRoles(data.OUTPOST_ROLES) ?? allRoles,
    httpHost: data.OUTPOST_HTTP_HOST ?? null,
    httpPort: data.OUTPOST_HTTP_PORT ?? null,
    metricsPort: data.OUTPOST_METRICS_PORT ?? null,
    discordToken: data.DISCORD_TOKEN ?? null,
    discordApiUrl: data.DISCORD_API_URL ?? null,
    nitradoApiUrl: data.NITRADO_API_URL,
    remoteService: remoteServiceOf(data),
  };
}

const withoutQuotes = 'remove the quotes around the value, which "docker --env-file" keeps as a part of it';

const environmentError = (mistakes: readonly string[]): ConfigError =>
  new ConfigError(
    ['The environment has a mistake (what is set there counts more than .env):', ...mistakes].join('\n'),
  );

function remoteServiceOf(data: z.output<typeof environmentSchema>): Environment['remoteService'] {
  const { OUTPOST_API_URL: apiUrl, OUTPOST_APPLICATION_ID: applicationId, OUTPOST_SECRET: secret } = data;
  if (apiUrl === undefined && applicationId === undefined && secret === undefined) return null;
  if (apiUrl !== undefined && applicationId !== undefined && secret !== undefined)
    return { apiUrl, applicationId, secret };
  throw new ConfigError(
    'OUTPOST_API_URL, OUTPOST_APPLICATION_ID and OUTPOST_SECRET belong together: set all three or none',
  );
}
