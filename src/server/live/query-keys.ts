import { games } from 'gamedig';

/** What a query of some games needs besides the address: GameDig's options of these names. */
export interface QueryKeys {
  username?: string | undefined;
  password?: string | undefined;
  login?: string | undefined;
  token?: string | undefined;
  apiKey?: string | undefined;
  accountId?: string | undefined;
  serverId?: string | undefined;
  guildId?: string | undefined;
  telnetPort?: number | undefined;
  telnetPassword?: string | undefined;
  teamspeakQueryPort?: number | undefined;
  rejectUnauthorized?: boolean | undefined;
}

export type QueryKey = keyof QueryKeys;

/** Which keys the queries of a game take. */
interface QueryKeyRules {
  /** One key of each group has to be there. */
  needs: readonly (readonly QueryKey[])[];
  /** These may be. */
  takes: readonly QueryKey[];
}

const none: QueryKeyRules = { needs: [], takes: [] };

/** By GameDig's protocol, as its GAMES_LIST.md and the protocols themselves say. Other protocols take none. */
const rules: Readonly<Record<string, QueryKeyRules>> = {
  altvmp: { needs: [], takes: ['serverId'] },
  brokeprotocol: { needs: [], takes: ['serverId'] },
  discord: { needs: [['guildId']], takes: [] },
  farmingsimulator: { needs: [['token']], takes: [] },
  hawakening: { needs: [['serverId'], ['username'], ['password', 'token']], takes: [] },
  nadeo: { needs: [['login'], ['password']], takes: [] },
  palworld: { needs: [['username'], ['password']], takes: [] },
  satisfactory: { needs: [], takes: ['token', 'rejectUnauthorized'] },
  scpsl: { needs: [['accountId'], ['apiKey'], ['serverId']], takes: [] },
  sdtd: { needs: [], takes: ['telnetPort', 'telnetPassword'] },
  teamspeak2: { needs: [], takes: ['teamspeakQueryPort'] },
  teamspeak3: { needs: [], takes: ['teamspeakQueryPort'] },
  terraria: { needs: [['token']], takes: [] },
};

/** @param type a value of `game:` in the config */
export function queryKeyRules(type: string): QueryKeyRules {
  return rules[protocolOf(type) ?? ''] ?? none;
}

/** GameDig's protocol for a game; undefined: it has none of its own, or the type is unknown. */
export function protocolOf(type: string): string | undefined {
  return (games as Record<string, { options?: { protocol?: string } } | undefined>)[type]?.options?.protocol;
}

/** What is wrong about the keys of a server's query. */
interface QueryKeyProblems {
  /** `password/token`: neither is there. */
  missing: string[];
  /** The game takes no such key. */
  unused: string[];
}

export function queryKeyProblems(type: string, keys: QueryKeys = {}): QueryKeyProblems {
  const { needs, takes } = queryKeyRules(type);
  const given = (Object.keys(keys) as QueryKey[]).filter((key) => keys[key] !== undefined);
  const taken = new Set([...needs.flat(), ...takes]);
  return {
    missing: needs.filter((group) => !group.some((key) => given.includes(key))).map(oneOf),
    unused: given.filter((key) => !taken.has(key)),
  };
}

const oneOf = (group: readonly QueryKey[]): string => group.join('/');

/** `needs username, password/token; may have serverId`. Empty: the address is enough. */
export function queryKeyText(type: string): string {
  const { needs, takes } = queryKeyRules(type);
  return [
    ...(needs.length === 0 ? [] : [`needs ${needs.map(oneOf).join(', ')}`]),
    ...(takes.length === 0 ? [] : [`may have ${takes.join(', ')}`]),
  ].join('; ');
}
