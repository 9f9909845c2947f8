import { expect, it } from 'vitest';
import { type AskHost, createServerCheck } from '../../../src/server/live/server-check.ts';
import { QueryError, type QueryServer } from '../../../src/server/live/query.ts';

const target = {
  id: 's',
  name: 'S',
  game: 'dayz',
  host: '203.0.113.7',
  port: 2302,
  queryPort: null as number | null,
};
const polled = { ...target, hasAnswered: false };
const known = { map: 'enoch', players: 3, maxPlayers: 60, checkedAt: 1_000 };
const queried = { map: 'enoch', players: 5, maxPlayers: 60, queue: 1, listed: [], observedAt: 2_000 };

const silent: QueryServer = () => Promise.reject(new QueryError('no_answer', null));
const answering: QueryServer = async () => queried;
const untouched: QueryServer = () => Promise.reject(new Error('queried'));

const checked = async (query: QueryServer, askHost: AskHost, server = polled) =>
  await createServerCheck(
    query,
    askHost,
  )(server).catch((error: unknown) => {
    if (!(error instanceof QueryError)) throw error;
    return { reason: error.reason, observedAt: error.observedAt };
  });
const hostFails: AskHost = () => Promise.reject(new Error('away'));

it('asks the host of a server on a console alone', async () => {
  expect(await checked(untouched, async () => ({ status: 'ONLINE', ...known }))).toEqual({
    map: 'enoch',
    players: 3,
    maxPlayers: 60,
    queue: null,
    listed: [],
    observedAt: 1_000,
  });
  expect(await checked(untouched, async () => ({ status: 'OFFLINE', ...known }))).toEqual({
    reason: 'stopped',
    observedAt: 1_000,
  });
  expect(await checked(untouched, async () => ({ status: 'UNKNOWN', ...known }))).toMatchObject({
    reason: 'host_unknown',
  });
});

it.each([
  ['answers queries, or whose host says nothing', async (): Promise<null> => null],
  ['has a host that does not answer', hostFails],
] as const)('queries a server that %s', async (_server, askHost) => {
  expect(await checked(answering, askHost)).toEqual(queried);
});

it('takes silence for none while the host does not answer either', async () => {
  expect(await checked(silent, hostFails)).toMatchObject({ reason: 'host_unknown' });
  expect(await checked(silent, async () => null)).toMatchObject({ reason: 'no_answer' });
});

it('takes the silence of a server with a query port for one, whether or not its host answers', async () => {
  const onPc = { ...polled, queryPort: 27_016 };
  expect(await checked(silent, hostFails, onPc)).toMatchObject({ reason: 'no_answer' });
});
