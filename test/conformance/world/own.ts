import { scopes } from '../../../src/api/access.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../../src/server/store/repositories/applications/credentials.ts';
import { createApplication } from '../../../src/server/store/repositories/applications/applications.ts';
import type { Database } from '../../../src/server/store/engine/database.ts';
import { facts } from './fill.ts';
import { factsOf, reach, shareCaller, type Credentials, type OwnService } from './service.ts';

/** What a service of our own offers to cases, given its address and its database. */
export async function ownService(
  url: string,
  db: Database,
  now: () => number,
  rest: Pick<OwnService, 'games' | 'logged' | 'shown' | 'outpost'>,
): Promise<OwnService> {
  const { send, register, hold } = reach(url);
  const application: OwnService['application'] = async (projectSlug, options = {}) => {
    const credentials: Credentials = { id: newApplicationId(), secret: newSecret() };
    const secretHash = hashSecret(credentials.secret);
    const held = options.scopes ?? scopes;
    await createApplication(
      db,
      { id: credentials.id, projectSlug, name: 'test', secretHash, scopes: held },
      now(),
    );
    if (options.requestsPerMinute !== undefined) {
      await db
        .updateTable('application')
        .set({ requests_per_minute: options.requestsPerMinute })
        .where('id', '=', credentials.id)
        .execute();
    }
    return credentials;
  };
  const callerOf: OwnService['callerOf'] = async (project, options) =>
    await hold(await application(project, options));
  const freshCaller = () => callerOf('northwood');
  return {
    url,
    db,
    credentials: await application('northwood'),
    fact: factsOf(facts, (name) => `the data of the suite has no ${name}`),
    send,
    register,
    caller: shareCaller(freshCaller),
    freshCaller,
    application,
    callerOf,
    ...rest,
  };
}
