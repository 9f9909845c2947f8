import { systemClock } from '../clock.ts';
import { gameServer, serviceList } from './answers.ts';
import { NitradoApi } from './api.ts';
import { type ServerState, stateOf } from './nitrado-state.ts';
import { RequestBudget } from './request-budget.ts';

export interface RentedServer {
  serviceId: string;
  name: string;
  /** As Nitrado names it: `DayZ (Xbox One)`. */
  game: string;
}

/** Null where Nitrado does not say. */
export interface RentedServerAddress {
  host: string | null;
  port: number | null;
  queryPort: number | null;
  /** Absolute path of the game's folder, to which paths of its files are relative. */
  folder: string;
  /** The name with which it answers queries. */
  name: string | null;
  /** How it is, on a console; null: it answers queries itself. */
  state: ServerState | null;
}

export interface NitradoAccount {
  token: string;
  /** Another address than Nitrado's, for tests. */
  baseUrl?: string | undefined;
}

/** The servers of a game that a token gives access to. @param ofGame the game's name @throws FileError */
export async function listRentedServers(account: NitradoAccount, ofGame: string): Promise<RentedServer[]> {
  const { services } = await withApi({ ...account, serviceId: '' }, (api) => api.services(serviceList));
  return services.flatMap(({ id, details }) => {
    const { name, game, folder_short: folder, portlist_short: list } = details ?? {};
    const about = `${game} ${folder} ${list}`.toLowerCase();
    if (!about.includes(ofGame.toLowerCase())) return [];
    return [{ serviceId: String(id), name: name?.trim() || `Service ${id}`, game: game?.trim() || ofGame }];
  });
}

/** Where a rented server answers queries and has its files. @throws FileError */
export async function findRentedServer(
  account: NitradoAccount & { serviceId: string },
): Promise<RentedServerAddress> {
  const { gameserver } = await withApi(account, (api) => api.get('', [], gameServer));
  const { ip, port, query_port: queryPort, game_specific: own, query } = gameserver;
  return {
    host: ip?.trim() || null,
    port: port ?? null,
    queryPort: queryPort ?? null,
    folder: own.path,
    name: query?.server_name?.trim() || null,
    state: stateOf(gameserver, systemClock.now()),
  };
}

async function withApi<T>(
  { token, baseUrl, serviceId }: NitradoAccount & { serviceId: string },
  work: (api: NitradoApi) => Promise<T>,
): Promise<T> {
  const api = new NitradoApi({
    token,
    baseUrl,
    serviceId,
    budget: new RequestBudget(systemClock),
    clock: systemClock,
  });
  try {
    return await work(api);
  } finally {
    api.close();
  }
}
