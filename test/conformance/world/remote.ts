import type { Credentials, Facts, Service } from './service.ts';
import { factsOf, reach, shareCaller } from './service.ts';
import type { World } from './process.ts';

export interface RemoteOptions {
  baseUrl: string;
  credentials: Credentials;
  facts: Partial<Facts>;
}

/** A service elsewhere: what there is to look at is told by options, or found by asking. */
export async function reachRemote({
  baseUrl,
  credentials,
  facts: told,
}: RemoteOptions): Promise<World<Service>> {
  const { send, register, hold } = reach(baseUrl, { patient: true });
  const freshCaller = () => hold(credentials);
  const caller = shareCaller(freshCaller);
  const facts: Partial<Facts> = { unknownPlayer: '76561198000000001', ...(await discover()), ...told };

  async function discover(): Promise<Partial<Facts>> {
    const { get } = await caller();
    const [servers, lists, boards] = await Promise.all([
      get('/v1/servers'),
      get('/v1/banlists'),
      get('/v1/leaderboards?limit=1'),
    ]);
    const known = boards.body?.leaderboards?.find((board: { rows?: unknown[] }) => board.rows?.length);
    const found = {
      server: servers.body?.servers?.[0]?.id,
      banList: lists.body?.banlists?.[0]?.id,
      steamId64: known?.rows[0].player?.steamId64,
      battleyeGuid: known?.rows[0].player?.battleyeGuid,
      cftoolsId: known?.rows[0].player?.cftoolsId,
    };
    return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'string'));
  }

  const option = (name: string): string =>
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return {
    title: baseUrl,
    service: {
      url: baseUrl,
      credentials,
      fact: factsOf(facts, (name) => `nothing is known of it: give ${option(name)}`),
      send,
      register,
      caller,
      freshCaller,
    },
    close: async () => undefined,
  };
}
