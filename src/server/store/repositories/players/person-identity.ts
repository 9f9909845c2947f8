import { battleyeGuidOf, dayzIdOf } from '../../../../api/identifiers.ts';
import type { Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';

/** The identifiers of one person, strongest first: a SteamID64 implies the DayZ id and the BattlEye GUID. */
export interface PersonIdentity {
  steamId64?: string | null;
  dayzId?: string | null;
  battleyeGuid?: string | null;
  cftoolsId?: string | null;
}

/** The columns of `player` with identifiers, strongest first. */
export const identityColumns = ['steam_id64', 'dayz_id', 'battleye_guid', 'cftools_id'] as const;
export type IdentityColumn = (typeof identityColumns)[number];
export type IdentityRow = Record<IdentityColumn, string | null>;

/** An identity completed with the ids that follow from its SteamID64. */
export function completed(identity: PersonIdentity): IdentityRow {
  const { steamId64 = null, dayzId = null, battleyeGuid = null, cftoolsId = null } = identity;
  return {
    steam_id64: steamId64,
    dayz_id: steamId64 === null ? dayzId : dayzIdOf(steamId64),
    battleye_guid: steamId64 === null ? battleyeGuid : battleyeGuidOf(steamId64),
    cftools_id: cftoolsId,
  };
}

export const identityOfRow = (row: IdentityRow): PersonIdentity => ({
  steamId64: row.steam_id64,
  dayzId: row.dayz_id,
  battleyeGuid: row.battleye_guid,
  cftoolsId: row.cftools_id,
});

/** The id in an admin log is the game's own, except in 2015, when it was the SteamID64. */
export function identityOfGameId(id: string): PersonIdentity {
  return id.length === 17 ? { steamId64: id } : { dayzId: id };
}

export interface StoredPerson extends IdentityRow {
  id: number;
  project_id: string;
  name: string | null;
  hidden: number;
}

export const persons = (db: Reader) =>
  db.selectFrom('player').select(['id', 'project_id', 'name', 'hidden', ...identityColumns]);

/** The stored players with any of these identifiers. @param projectId of this project only; left out: of all */
export async function findPersons(
  db: Reader,
  wanted: readonly IdentityRow[],
  projectId?: string,
): Promise<StoredPerson[]> {
  const found = new Map<number, StoredPerson>();
  const projects =
    projectId === undefined ? await db.selectFrom('project').select('id').execute() : [{ id: projectId }];
  // Each index begins with the project.
  const ofProjects = persons(db).where(
    'project_id',
    'in',
    projects.map(({ id }) => id),
  );
  for (const column of identityColumns) {
    const values = new Set(wanted.map((row) => row[column]).filter((value) => value !== null));
    if (values.size === 0) continue;
    const rows = await ofProjects.where(column, 'in', valuesOf('text', [...values])).execute();
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
}
