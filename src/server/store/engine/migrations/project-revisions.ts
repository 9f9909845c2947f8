/** How to find the projects that show something of a table's changed rows. */
interface ShownTable {
  /** A query that returns their `project_id`s from `changed`, the changed rows. */
  projects: string;
  /** Left out: every column is shown. An update of columns that are not shown is no change. */
  shown?: { key: string; columns: readonly string[] };
}

const direct: ShownTable = { projects: 'SELECT project_id FROM changed' };
const ofServer: ShownTable = {
  projects: 'SELECT server.project_id FROM changed JOIN server ON server.id = changed.server_id',
};
const ofPlayer: ShownTable = {
  projects: 'SELECT player.project_id FROM changed JOIN player ON player.id = changed.player_id',
};

/** Every table of which `/v1` or the bot shows something. */
export const shownTables: Readonly<Record<string, ShownTable>> = {
  project: { projects: 'SELECT id AS project_id FROM changed' },
  server: direct,
  server_state: ofServer,
  schedule: ofServer,
  restart_file: {
    projects: `SELECT server.project_id FROM changed JOIN schedule ON schedule.file = changed.path
      JOIN server ON server.id = schedule.server_id`,
  },
  ban_list: direct,
  ban: { projects: 'SELECT ban_list.project_id FROM changed JOIN ban_list ON ban_list.id = changed.list_id' },
  application: {
    ...direct,
    shown: {
      key: 'id',
      columns: [
        'project_id',
        'name',
        'secret_hash',
        'generation',
        'scopes',
        'requests_per_minute',
        'revoked_at',
        'embedded',
      ],
    },
  },
  player: direct,
  player_alias: ofPlayer,
  player_stats: direct,
  player_link: direct,
  // Restarts are counted from the start of the latest run, which is extended all the time.
  log_run: { ...ofServer, shown: { key: 'id', columns: ['server_id', 'header', 'started_at', 'off_zone'] } },
  death: ofServer,
  roster: ofServer,
  roster_player: ofServer,
  // They concern all projects.
  rights: { projects: `SELECT '' AS project_id FROM changed` },
};

/** A transaction raises a revision once, however many of its statements concern the project. */
const raise = (projects: string): string => `
  INSERT INTO project_revision AS known (project_id, revision, transaction)
    SELECT DISTINCT project_id, 1, pg_current_xact_id()::text::bigint FROM (${projects}) AS concerned
    ORDER BY project_id
  ON CONFLICT (project_id) DO UPDATE SET revision = known.revision + 1, transaction = excluded.transaction
    WHERE known.transaction <> excluded.transaction;
  RETURN NULL;`;

/** The rows before and after an update: an update may move a row from one project to another. */
function updated({ shown }: ShownTable): string {
  if (shown === undefined) return 'SELECT * FROM before UNION ALL SELECT * FROM after';
  const { key, columns } = shown;
  const all = (rows: string): string => columns.map((column) => `${rows}.${column}`).join(', ');
  const differ = `ROW(${all('before')}) IS DISTINCT FROM ROW(${all('after')})`;
  const rows = (of: string): string =>
    `SELECT ${of}.* FROM before JOIN after ON after.${key} = before.${key} WHERE ${differ}`;
  return `${rows('before')} UNION ALL ${rows('after')}`;
}

const triggerOf = (table: string, event: string, tables: string, projects: string): string[] => [
  `CREATE FUNCTION ${table}_${event}_shown() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${raise(projects)} END $$`,
  `CREATE TRIGGER ${table}_${event}_shown AFTER ${event} ON ${table} REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION ${table}_${event}_shown()`,
];

/** The triggers of a table that raise the revisions. */
const triggersOf = ([table, shown]: [string, ShownTable]): string[] => [
  ...triggerOf(table, 'insert', 'NEW TABLE AS changed', shown.projects),
  ...triggerOf(table, 'delete', 'OLD TABLE AS changed', shown.projects),
  ...triggerOf(
    table,
    'update',
    'OLD TABLE AS before NEW TABLE AS after',
    `WITH changed AS (${updated(shown)}) ${shown.projects}`,
  ),
];

/**
 * The revision of each project, raised in each transaction that changes what is shown of it, by which processes know
 * that their cached answers are stale. `transaction` is the one that raised it last. SQLite counts commits itself.
 */
export const projectRevisions = [
  // Half-empty pages: an update puts the new row beside the old one and leaves the index alone.
  `CREATE TABLE project_revision (
    project_id text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL, transaction bigint NOT NULL
  ) WITH (fillfactor = 50)`,
  ...Object.entries(shownTables).flatMap(triggersOf),
];
