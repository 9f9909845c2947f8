import createClient from 'openapi-fetch';
import type { components, paths } from './service.d.ts';

type Schemas = components['schemas'];

export interface Everything {
  registration: Schemas['RegisterResponse'];
  project: Schemas['Project'];
  servers: Schemas['Server'][];
  server: Schemas['Server'];
  schedules: Schemas['Schedule'][];
  online: Schemas['OnlinePlayers'];
  leaderboards: Schemas['Leaderboard'][];
  player: Schemas['Player'];
  banlists: Schemas['Banlist'][];
  bans: Schemas['Ban'][];
}

/**
 * What somebody writes who has nothing but the OpenAPI document: every operation, one after another, each result used
 * for the next. It compiles only while the document says the truth about names, parameters and answers.
 */
export async function readEverything(baseUrl: string, id: string, secret: string): Promise<Everything> {
  const client = createClient<paths>({ baseUrl, headers: { 'User-Agent': id } });

  const registration = dataOf(
    await client.POST('/v1/auth/register', {
      body: { application_id: id, secret },
    }),
  );
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', `${registration.tokenType} ${registration.token}`);
      return request;
    },
  });

  const { project } = dataOf(await client.GET('/v1/project'));
  const { servers } = dataOf(await client.GET('/v1/servers'));
  const serverId = servers[0]?.id ?? '';
  const ofServer = { params: { path: { serverId } } };
  const { server } = dataOf(await client.GET('/v1/server/{serverId}', ofServer));
  const { schedules } = dataOf(await client.GET('/v1/server/{serverId}/schedules', ofServer));
  const online = dataOf(await client.GET('/v1/server/{serverId}/players/online', ofServer));

  const ranking = { metric: 'PLAYER_KILLS', limit: 5 } as const;
  const { leaderboards } = dataOf(await client.GET('/v1/leaderboards', { params: { query: ranking } }));
  const identifier = leaderboards[0]?.rows[0]?.player.battleyeGuid ?? '';
  const { player } = dataOf(
    await client.GET('/v1/player/{identifier}', { params: { path: { identifier } } }),
  );

  const { banlists } = dataOf(await client.GET('/v1/banlists'));
  const { bans } = dataOf(
    await client.GET('/v1/banlists/{banListId}/bans', {
      params: { path: { banListId: banlists[0]?.id ?? '' }, query: { limit: 200 } },
    }),
  );
  return { registration, project, servers, server, schedules, online, leaderboards, player, banlists, bans };
}

/** The document promises that what is no success is an error with a code and a message. */
function dataOf<Data>(result: { data?: Data; error?: Schemas['Error'] }): Data {
  if (result.data !== undefined) return result.data;
  throw new Error(`${result.error?.error}: ${result.error?.message}`);
}
