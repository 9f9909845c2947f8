import * as banLists from '../../store/repositories/bans/ban-lists.ts';
import { Problem } from '../problem.ts';
import type { Handler } from './handler.ts';

export const listBanlists: Handler<'listBanlists'> = async (_parameters, { application, db, now }) => ({
  banlists: await banLists.listBanLists(db, application.project.id, now()),
});

export const listBans: Handler<'listBans'> = async ({ banListId, limit }, { application, db, now }) => {
  const bans = await banLists.listBans(db, application.project.id, banListId, limit, now());
  if (bans === null) {
    throw new Problem(
      'not_found',
      'This project has no active ban list with that id. GET /v1/banlists lists the ids.',
    );
  }
  return { bans };
};
