import * as servers from '../../store/repositories/projects/servers.ts';
import { Problem } from '../problem.ts';
import type { Handler } from './handler.ts';

export const listServers: Handler<'listServers'> = async (_parameters, { application, db }) => ({
  servers: await servers.listServers(db, application.project.id),
});

export const getServer: Handler<'getServer'> = async ({ serverId }, { application, db }) => {
  const server = await servers.findServer(db, application.project.id, serverId);
  if (server === null) throw unknownServer();
  return { server };
};

export const listSchedules: Handler<'listSchedules'> = async ({ serverId }, { application, db }) => {
  const server = await servers.findServer(db, application.project.id, serverId);
  if (server === null) throw unknownServer();
  return { schedules: await servers.listSchedules(db, serverId) };
};

export function unknownServer(): Problem {
  return new Problem(
    'not_found',
    'This project has no active server with that id. GET /v1/servers lists the ids.',
  );
}
